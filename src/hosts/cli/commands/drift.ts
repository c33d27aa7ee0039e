import type { DriftEvent, DriftKind, DriftProfile, ObservedField } from '#contract/drift.ts'
import { driftMarkdown, factWords, shapeWord } from '#core/drift/report.ts'
import { type Cli, command, defined, flag, option, type Values } from '../shared/command.ts'
import { wrongUsage } from '../shared/failures.ts'
import type { Reached } from '../shared/reach.ts'
import { local } from '../shared/records.ts'
import { counted, visible } from '../shared/text.ts'
import { kindNamed } from '../shared/things.ts'

const VALUES = 8

function kindLine(one: DriftKind): string {
  const facts = [
    `${one.deliveries} ${one.deliveries === 1 ? 'delivery' : 'deliveries'}`.padStart(16),
    counted(one.fields, 'field'),
    ...(one.undocumented === 0 ? [] : [`${one.undocumented} not documented`]),
    one.learning ? `learning, ${one.missing} to go` : counted(one.events, 'thing').concat(' first seen'),
    ...(one.lastEventAt === null ? [] : [`last ${local(one.lastEventAt)}`]),
  ]
  return `${one.kind.padEnd(26)}${facts.join(', ')}\n`
}

function profileText(profile: DriftProfile): string {
  const { kind, deliveries, fields, learning, unrecorded, firstAt } = profile
  const head = [
    `${kind}: ${deliveries} deliveries`,
    ...(firstAt === null ? [] : [`since ${local(firstAt)}`]),
    ...(learning ? ['still learning'] : []),
    ...(unrecorded === 0 ? [] : [`${unrecorded} held more than there is room for`]),
  ]
  return `${head.join(', ')}\n${fields.map(fieldLine).join('')}`
}

function fieldLine(field: ObservedField): string {
  const { place, n, of, shapes, values, documented, manyValues } = field
  const words = shapes.map((shape) => `${shapeWord(shape, 'en')}${shape.n === n ? '' : ` (${shape.n})`}`)
  const told = values.slice(0, VALUES).map(({ value, n: times }) => `${value} ×${times}`)
  if (values.length > VALUES) told.push(`${values.length - VALUES} more`)
  const rest = [
    words.join(', '),
    `${n} of ${of}`,
    ...(told.length > 0 ? [told.join(' ')] : []),
    ...(manyValues ? ['too many values to keep'] : []),
    ...(documented ? [] : ['not documented']),
  ]
  return `${visible(place).padEnd(44)} ${visible(rest.join('; '))}\n`
}

function eventLine(event: DriftEvent): string {
  const { at, deliveryId, kind, pointer } = event
  const by = deliveryId === null ? 'no longer stored' : String(deliveryId)
  return visible(`${local(at)}  ${by.padStart(8)}  ${kind}  ${pointer}: ${factWords(event, 'en')}`).concat(
    '\n',
  )
}

/** Longest wait for the analysis of recent deliveries. */
const ANALYSIS_MS = 5_000
const PAGE = 1_000

const OPTIONS = {
  kind: option('<kind>', 'one of the 28 kinds: its fields', kindNamed),
  events: flag('what was first seen, newest first, instead of fields'),
  markdown: { ...flag('the fields as a document, of one kind or of all'), not: ['events', 'json'] },
  reset: {
    ...flag('delete the profile of the kind, or with --all of every kind, and learn again'),
    not: ['events', 'markdown'],
  },
  all: { ...flag('with --reset: every kind'), needs: 'reset', not: ['kind'] },
}
type DriftOptions = Values<typeof OPTIONS>

export const drift = command({
  name: 'drift',
  about:
    'Show the observed fields, types, formats and values of each kind, with the time of the first occurrence. Never changes a verdict.',
  options: OPTIONS,
  json: 'print {"kinds": […]}, one profile, or one event per line (NDJSON)',
  examples: [
    ['acuse drift', 'every kind in a line'],
    ['acuse drift --kind factura.created', 'its fields with types, formats, shares and values'],
    ['acuse drift --events --json | jq -r .pointer', 'everything that was ever new'],
    ['acuse drift --markdown > observed.md', 'a document of all kinds'],
    ['acuse drift --reset --kind factura.created', 'learn one kind again'],
  ],
  run(given, cli) {
    if (given.reset && given.kind === undefined && !given.all)
      throw wrongUsage('Name what to forget: --reset --kind KIND for one kind, --reset --all for every kind.')
    return cli.existing(async (reached) => {
      await reached.call('deliveries.settled', { timeoutMs: ANALYSIS_MS })
      if (given.reset) return reset(reached, given, cli)
      if (given.events) return events(reached, given, cli)
      if (given.markdown) return cli.terminal.print(driftMarkdown(await profiles(reached, given), 'en'))
      if (given.kind === undefined) return list(reached, cli)
      const profile = await reached.call('drift.profile', { kind: given.kind })
      await cli.print(profile, profileText(profile))
    })
  },
})

async function list({ call }: Reached, cli: Cli): Promise<void> {
  const listed = await call('drift.list', {})
  await cli.print(listed, listed.kinds.map(kindLine).join(''))
  if (listed.kinds.length === 0) cli.terminal.say('No profile yet: no event of the 28 kinds has arrived.')
}

async function profiles({ call }: Reached, { kind }: DriftOptions): Promise<readonly DriftProfile[]> {
  const wanted = kind === undefined ? (await call('drift.list', {})).kinds.map((one) => one.kind) : [kind]
  return Promise.all(wanted.map((one) => call('drift.profile', { kind: one })))
}

async function events({ call }: Reached, { kind }: DriftOptions, { json, terminal }: Cli): Promise<void> {
  for (let from = 0; ; from += PAGE) {
    const page = await call('drift.events', { ...defined({ kind }), from, limit: PAGE })
    const lines = page.events.map((event) => (json ? `${JSON.stringify(event)}\n` : eventLine(event)))
    await terminal.print(lines.join(''))
    if (page.total === 0) terminal.say('No new observation since the profiles were learned.')
    if (from + PAGE >= page.total || terminal.readerGone) return
  }
}

async function reset({ call }: Reached, { kind }: DriftOptions, cli: Cli): Promise<void> {
  const forgotten = await call('drift.reset', defined({ kind }))
  await cli.done(
    `Forgot what was observed of ${kind ?? 'every kind'}; later deliveries build a new profile.`,
    forgotten,
  )
}
