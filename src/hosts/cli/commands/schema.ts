import { z } from 'zod'
import { OPENAPI_VERSIONS, SCHEMA_FORMATS } from '#interop/schema/formats.ts'
import { command, flag, option, preset, type Values } from '../shared/command.ts'
import { couldNot, wrongUsage } from '../shared/failures.ts'
import type { Reached } from '../shared/reach.ts'
import { kindNamed } from '../shared/things.ts'

const OPTIONS = {
  format: preset('<format>', 'what to print', z.enum(SCHEMA_FORMATS), 'json-schema'),
  kind: option('<kind>', 'one of the 28 kinds (default: all)', kindNamed),
  openapi: option('<version>', 'version of OpenAPI (default: 3.1)', z.enum(OPENAPI_VERSIONS)),
  observed: flag('what captured deliveries showed instead of what is documented; JSON Schema only'),
}
type SchemaOptions = Values<typeof OPTIONS>

export const schema = command({
  name: 'schema',
  about:
    'Print the documented rules of the 28 kinds as JSON Schema 2020-12, OpenAPI with webhooks, AsyncAPI 3.1, TypeScript types, Zod schemas or Markdown.',
  options: OPTIONS,
  json: 'print {"format","kind","observed","text"}',
  examples: [
    ['acuse schema > events.schema.json', 'the bodies that Acuse passes without an error'],
    ['acuse schema --format typescript > events.ts', 'types for a handler'],
    ['acuse schema --format openapi --openapi 3.2', 'webhooks and the three routes'],
    ['acuse schema --observed --kind factura.created', 'types and members that deliveries showed'],
  ],
  note: 'A JSON Schema fails a body where Acuse reports an error, and nowhere else. An observed schema is an observation: a body that does not fit it may be right.',
  async run(given, cli) {
    const { format, kind, openapi, observed } = given
    refuseMixed(given, cli.folder)
    const text = observed
      ? await cli.existing((reached) => captured(reached, given))
      : (await import('#interop/schema/write.ts')).describedKinds(format, kind, openapi)
    await cli.print({ format, kind: kind ?? null, observed, text }, text)
  },
})

function refuseMixed({ format, openapi, observed }: SchemaOptions, folder: string | undefined): void {
  if (openapi !== undefined && format !== 'openapi') throw wrongUsage('--openapi goes with --format openapi.')
  if (!observed && folder !== undefined)
    throw wrongUsage('--data needs --observed: the documented rules are the same for every folder.')
  if (observed && format !== 'json-schema')
    throw wrongUsage('--observed prints a JSON Schema; leave out --format, or give --format json-schema.')
}

/** Longest wait for the analysis of recent deliveries. */
const ANALYSIS_MS = 5_000

async function captured({ call }: Reached, { kind }: SchemaOptions): Promise<string> {
  await call('deliveries.settled', { timeoutMs: ANALYSIS_MS })
  const kinds = (await call('drift.list', {})).kinds.map((one) => one.kind)
  const seen = kinds.filter((one) => kind === undefined || one === kind)
  if (seen.length === 0) throw couldNot(`No delivery of ${kind ?? 'the 28 kinds'} was captured yet.`)
  const { observedText } = await import('#interop/schema/observed.ts')
  const profiles = await Promise.all(seen.map((one) => call('drift.profile', { kind: one })))
  return observedText(profiles, kind !== undefined)
}
