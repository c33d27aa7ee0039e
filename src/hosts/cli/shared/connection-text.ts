import type { Connection, ItemMapping } from '#contract/connection.ts'
import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import type { ConnectionTest } from '#contract/reconcile.ts'
import type { Timeouts } from '#contract/target.ts'
import { documentTypesText } from '#core/reconcile/documents.ts'
import { kindsText } from './sandbox-reach.ts'
import { block, visible, visibleLines } from './text.ts'

/** Greatest indentation level; deeper levels use the same one. */
const DEEPEST = 20

/** Indents JSON by its tokens: numbers keep their digits, and text that is not JSON stays readable. */
export function indented(json: string): string {
  let depth = 0
  let text = ''
  const line = () => `\n${'  '.repeat(Math.min(depth, DEEPEST))}`
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"?|[{[]\s*[}\]]|[{}[\],:]|[^\s"{}[\],:]+/gs)) {
    if (token === '{' || token === '[') {
      depth += 1
      text += token + line()
    } else if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1)
      text += line() + token
    } else if (token === ',') text += token + line()
    else if (token === ':') text += ': '
    else text += /^[{[]/.test(token) ? token.replace(/\s/g, '') : token
  }
  return text
}

/** Lines of the sample that the text output shows; --json prints it whole. */
const SAMPLE_LINES = 60
const LINE_CHARACTERS = 200

const PLACES = {
  none: 'none',
  stored: 'in the secret store',
  environment: 'from the environment',
} as const

export const timeoutsText = ({ timeouts }: { readonly timeouts: Timeouts }): string =>
  `${timeouts.connectMs} ms to connect, ${timeouts.answerMs} ms for the answer, ${timeouts.totalMs} ms in all`

export function connectionText(connection: Connection): string {
  const { pluginHeader, notYetDue } = connection
  const unlessUsual = (name: keyof typeof DEFAULT_CONNECTION, text: string) =>
    JSON.stringify(connection[name]) === JSON.stringify(DEFAULT_CONNECTION[name]) ? null : text
  const { name: header, scheme } = pluginHeader
  return block(
    `${connection.name}  ${connection.baseUrl}`,
    [
      ['API key', PLACES[connection.apiKey]],
      ['Plugin token', connection.pluginToken === 'none' ? null : PLACES[connection.pluginToken]],
      ['Sent as', unlessUsual('pluginHeader', `${header}: ${scheme === '' ? '' : `${scheme} `}<token>`)],
      ['Endpoints', connection.endpoints.length === 0 ? 'all' : connection.endpoints.join(', ')],
      ['Kinds', connection.kinds === null ? null : kindsText(connection.kinds)],
      ['Time zone', connection.zone],
      ['Time-outs', unlessUsual('timeouts', timeoutsText(connection))],
      ['Proxy', unlessUsual('proxy', connection.proxy)],
      ['Accepts', connection.acceptAnyCertificate ? 'any certificate' : null],
      ['Mapping', connection.mapping === null ? null : mappingText(connection.mapping)],
      [
        'Types',
        unlessUsual(
          'documentTypes',
          `${documentTypesText(connection.documentTypes)}${connection.documentTypesComplete ? ' (all there are)' : ''}`,
        ),
      ],
      [
        'Not yet due',
        unlessUsual(
          'notYetDue',
          `issued within ${notYetDue.issuedHours} h, first returned within ${notYetDue.returnedMinutes} min`,
        ),
      ],
      ['Ignores', unlessUsual('ignoredFields', connection.ignoredFields.join(', ') || 'no field')],
    ],
    12,
  )
}

export function connectionTestText({ ok, status, message, mapping, sample }: ConnectionTest): string {
  const lines = [
    `${ok ? 'Works' : 'Does not work'}${status === null ? '' : ` (${status})`}: ${message}`,
    ...(mapping === null ? [] : [`Found: ${mappingText(mapping)}`]),
  ].map(visible)
  return `${[...lines, ...(sample === null ? [] : ['', ...sampleLines(sample)])].join('\n')}\n`
}

/** Indents a JSON sample, leaves other text unchanged, and bounds both in lines and characters per line. */
function sampleLines(sample: string): readonly string[] {
  const lines = visibleLines(/^\s*[{[]/.test(sample) ? indented(sample) : sample)
    .trimEnd()
    .split('\n')
  const more = lines.length - SAMPLE_LINES
  return [
    ...lines
      .slice(0, SAMPLE_LINES)
      .map((line) => (line.length > LINE_CHARACTERS ? `${line.slice(0, LINE_CHARACTERS)}…` : line)),
    ...(more > 0 ? [`… and ${more} more ${more === 1 ? 'line' : 'lines'}; --json has all of it.`] : []),
  ]
}

const mappingText = (mapping: Partial<ItemMapping>): string =>
  Object.entries(mapping)
    .map(([field, pointer]) => `${field} ${pointer === '' ? 'on the item' : (pointer ?? 'nowhere')}`)
    .join(', ')
