import { z } from 'zod'
import { GROUPS, KINDS, kindSpec } from '#catalog/kinds.ts'
import { deliveryCommands } from '#contract/delivery.ts'
import { documentCommands } from '#contract/documents.ts'
import { faultCommands } from '#contract/faults.ts'
import { kind } from '#contract/params.ts'
import { reconcileCommands } from '#contract/reconcile-commands.ts'
import { analyse } from '#core/checks/analyse.ts'
import { readFilter } from '#core/filter/read.ts'
import { scanJson } from '#core/json/scan.ts'
import { SCHEMA_FORMATS } from '#interop/schema/formats.ts'
import { dataFields, isDemanded } from '#interop/schema/json-schema.ts'
import { describedKinds } from '#interop/schema/write.ts'
import { couldNot } from '../shared/failures.ts'
import { namedFilter } from '../shared/reach.ts'
import type { AnswerMask } from './mask.ts'
import {
  comparedRecord,
  deliveryRecord,
  detailRecord,
  documentRecord,
  faultRecords,
  findingRecord,
  lifeRecord,
  summaryRecord,
  sweepRecord,
} from './records.ts'
import { type Call, type Tool, tool } from './tool.ts'

/** Longest wait for the analysis of recent deliveries. */
const ANALYSIS_MS = 5_000
/** Bytes of a decoded body that are read to show it. */
const MOST_BODY = 8_388_608

const limit = z.int().min(1).max(50).default(20)
const FILTER =
  'Filter language of Acuse, such as "kind:factura.* verdict:invalid", "doc:3f2a", "received:today is:duplicate", "finding:dgii-status"; "@name" is a saved filter; empty: all.'
const scan = deliveryCommands['deliveries.scan'].params.shape
const pageOf = documentCommands['documents.page'].params.shape
const compared = reconcileCommands['reconciliation.rows'].params.shape

/** Tools that change nothing. */
export const READING: readonly Tool[] = [
  tool({
    name: 'read_status',
    about: 'Where Acuse receives, its endpoints, the names of saved targets, and whether the sandbox runs.',
    params: z.strictObject({}),
    run: (_, { existing }) =>
      existing(async ({ call }) => {
        const [{ receiver }, { endpoints, targets }, sandbox] = await Promise.all([
          call('status.get', {}),
          call('settings.get', {}),
          call('sandbox.status', {}),
        ])
        const places = {
          endpoints: endpoints.map(({ name }) => name),
          targets: targets.map(({ name }) => name),
        }
        return { facts: { receiver, ...places, sandbox } }
      }),
  }),
  tool({
    name: 'search_deliveries',
    about:
      'Deliveries that a filter selects, newest first: id, event, document, verdict, answer. For the next page give `next` of the answer as `before`.',
    params: z.strictObject({
      filter: scan.filter.describe(FILTER).default(''),
      before: scan.after.describe('Only deliveries with a lower id.').default(null),
      limit,
    }),
    run: ({ filter, before, limit: most }, { existing, mask }) =>
      existing(async ({ call }) => {
        const wanted = await filterOf(call, filter)
        const asked = { filter: wanted, after: before, limit: most, newest: true }
        const { rows } = await call('deliveries.scan', asked)
        const next = rows.length < most ? null : (rows.at(-1)?.id ?? null)
        return { facts: { deliveries: rows.map((row) => deliveryRecord(row, mask)), next } }
      }),
  }),
  tool({
    name: 'count_deliveries',
    about: 'How many deliveries a filter selects, by verdict.',
    params: z.strictObject({ filter: scan.filter.describe(FILTER).default('') }),
    run: ({ filter }, { existing }) =>
      existing(async ({ call }) => ({
        facts: await call('deliveries.summary', { filter: await filterOf(call, filter) }),
      })),
  }),
  tool({
    name: 'read_delivery',
    about:
      'One delivery: request, verdict, each finding with its rule, note, and as a second part the body. Personal data, credentials and values of undocumented fields are masked; equal values have equal tokens.',
    params: deliveryCommands['deliveries.get'].params.omit({ reveal: true }),
    run: ({ id }, { existing, mask }) =>
      existing(async ({ call }) => {
        await call('deliveries.settled', { timeoutMs: ANALYSIS_MS })
        const detail = await call('deliveries.get', { id })
        const text = await bodyOf(call, id, detail.kind, mask)
        return { facts: detailRecord(detail, mask), text }
      }),
  }),
  tool({
    name: 'list_kinds',
    about: 'The 28 kinds of event, by group, and when each is sent.',
    params: z.strictObject({}),
    run: () => ({
      facts: GROUPS.map(({ slug, name }) => ({
        group: slug,
        name: name.en,
        kinds: KINDS.filter(({ group }) => group === slug).map((spec) => ({
          kind: spec.kind,
          emittedWhen: spec.emittedWhen.en,
        })),
      })),
    }),
  }),
  tool({
    name: 'read_kind',
    about:
      'What is documented of one kind: its fields and the rules on them; with `format` a schema or types of it as a second part.',
    params: z.strictObject({ kind, format: z.enum(SCHEMA_FORMATS).optional() }),
    run({ kind: name, format }) {
      const spec = kindSpec(name)
      const fields = spec && dataFields(spec)
      const facts = {
        kind: name,
        group: spec?.group,
        emittedWhen: spec?.emittedWhen.en,
        statusId: spec?.statusId,
        fields:
          spec &&
          fields?.map((field) => ({
            name: field.name,
            about: field.label.en,
            type: field.type === 'unknown' ? 'not shown' : field.type,
            mandatory: isDemanded(field, spec),
            ...(field.documentation && { documented: field.documentation.en }),
          })),
      }
      return { facts, ...(format && { text: describedKinds(format, name) }) }
    },
  }),
  tool({
    name: 'check_body',
    about:
      'Checks a body against the 28 kinds, as Acuse checks a delivery: verdict and findings with their rules.',
    params: z.strictObject({ body: z.string().max(1_000_000).describe('The JSON text of the body.') }),
    run({ body }, { mask }) {
      const judged = { method: 'POST', contentType: null, body: { bytes: new TextEncoder().encode(body) } }
      const { verdict, findings, findingCount, kind: found } = analyse(judged)
      const shown = findings.slice(0, 50).map((one) => findingRecord(one, mask))
      return { facts: { verdict, kind: found, findings: shown, findingCount } }
    },
  }),
  tool({
    name: 'search_documents',
    about:
      'Invoices, notes and expenses put together from their events, the latest first; `gaps` selects documents with events that seem to be missing.',
    params: z.strictObject({
      query: pageOf.query
        .describe('Filter over documents: kind, group, verdict, doc, number, party, status, words.')
        .default(''),
      gaps: pageOf.gaps,
      from: pageOf.from.default(0),
      limit,
    }),
    run: ({ limit: most, ...asked }, { existing, mask }) =>
      existing(async ({ call }) => {
        const sort = { by: 'last', descending: true } as const
        const page = await call('documents.page', { ...asked, sort, limit: most })
        const documents = page.entries.map((entry) => documentRecord(entry, mask))
        return { facts: { documents, total: page.total, ...nextOf(page.from, documents.length, page.total) } }
      }),
  }),
  tool({
    name: 'read_document',
    about: 'The life of one document: its events in order, what each changed, and gaps.',
    params: documentCommands['documents.get'].params,
    run: ({ key }, { existing, mask }) =>
      existing(async ({ call }) => {
        const life = await call('documents.get', { key: key.toLowerCase() })
        if (!life) throw couldNot('There is no document with this key; search_documents gives the keys.')
        return { facts: lifeRecord(life, mask) }
      }),
  }),
  tool({
    name: 'list_sweeps',
    about: 'Sweeps over the sync routes of the service, newest first, with the documents in each class.',
    params: reconcileCommands['sweeps.list'].params,
    run: (given, { existing }) =>
      existing(async ({ call }) => ({
        facts: (await call('sweeps.list', given)).sweeps.slice(0, 50).map(sweepRecord),
      })),
  }),
  tool({
    name: 'read_sweep',
    about:
      'One sweep compared with the captured deliveries: counts by class, missed events, and a page of its documents with the rule of each.',
    params: z.strictObject({
      sweep: compared.sweep,
      classes: compared.classes,
      text: compared.text.default(''),
      from: compared.from.default(0),
      limit,
    }),
    run: ({ limit: most, ...asked }, { existing, mask }) =>
      existing(async ({ call }) => {
        const summary = await call('reconciliation.summary', { sweep: asked.sweep })
        const page = await call('reconciliation.rows', { ...asked, limit: most })
        const documents = page.rows.map((row) => comparedRecord(row, mask))
        const next = nextOf(page.from, documents.length, page.total)
        return { facts: { ...summaryRecord(summary), rows: documents, total: page.total, ...next } }
      }),
  }),
  tool({
    name: 'list_faults',
    about: 'Fault rules in force: what the endpoints do to senders instead of their own answers.',
    params: faultCommands['faults.list'].params,
    run: (_, { running, mask }) =>
      running(async ({ call }) => ({
        facts: faultRecords((await call('faults.list', {})).faults, mask).faults,
      })),
  }),
]

/** Waits for the analysis and checks the filter, so that a wrong one is refused also in an empty store. */
async function filterOf(call: Call, text: string): Promise<string> {
  const filter = await namedFilter({ call }, text)
  readFilter(filter)
  await call('deliveries.settled', { timeoutMs: ANALYSIS_MS })
  return filter
}

const nextOf = (from: number, given: number, total: number) => ({
  next: from + given < total ? from + given : null,
})

async function bodyOf(
  call: Call,
  id: number,
  kindOf: Parameters<AnswerMask['body']>[1],
  mask: AnswerMask,
): Promise<string> {
  const slice = { id, view: 'decoded', from: 0, length: MOST_BODY } as const
  const { bytesBase64, total, problem } = await call('deliveries.body', slice)
  if (problem !== null) return `The body cannot be decoded: ${mask.text(problem)}`
  if (total === 0) return 'The body is empty.'
  if (total > MOST_BODY) return `The body has ${total} bytes, too many to show here.`
  const tree = scanJson(Buffer.from(bytesBase64, 'base64').toString('utf8'))
  // What is no JSON has no names by which to mask it.
  return 'problem' in tree
    ? `The body is no JSON (${total} bytes); it is not shown.`
    : mask.body(tree, kindOf)
}
