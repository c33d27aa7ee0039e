import { InvalidArgumentError } from 'commander'
import type { DeliveryDetail } from '#contract/delivery.ts'
import { shownValue } from '#contract/headers.ts'
import { id as deliveryId } from '#contract/params.ts'
import { isTag, NOTE_LENGTH, TAG_LENGTH, tagOf } from '#contract/tags.ts'
import { durationText } from '#core/time/duration.ts'
import { command, defined, flag, many, option } from '../shared/command.ts'
import { indented } from '../shared/connection-text.ts'
import { wrongUsage } from '../shared/failures.ts'
import type { Reached } from '../shared/reach.ts'
import { detailRecord, findingLine, findingRecord, local, shownBody, total } from '../shared/records.ts'
import type { Terminal } from '../shared/terminal.ts'
import { counted, type Paint, painter, VERDICT_SHADES, visible, visibleLines } from '../shared/text.ts'
import { idArgument } from '../shared/things.ts'

/** Bytes per read; a multiple of three, so that the base64 of the pieces can be concatenated. */
const PIECE = 3 * 1_048_576
const ANALYSIS_MS = 5_000

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

export const show = command({
  name: 'show',
  about: 'Show one delivery: headers as received, findings, answer, body.',
  args: { id: idArgument('acuse events') },
  options: {
    reveal: flag('print credentials too: values of secret headers, and those in the request target'),
  },
  json: 'one JSON object, with the body as bodyBase64',
  examples: [
    ['acuse show 42', 'for reading'],
    ['acuse show 42 --json | jq -r .bodyBase64 | base64 -d', 'the body, byte for byte'],
  ],
  run: ({ id, reveal }, { existing, json, terminal }) =>
    existing(async (reached) => {
      await reached.call('deliveries.settled', { timeoutMs: ANALYSIS_MS })
      const detail = await reached.call('deliveries.get', { id, reveal })
      await (json ? printJson : printForPeople)(reached, detail, reveal, terminal)
    }),
})

/** Prints the body in pieces, since Node cannot hold a gigabyte in one string. */
async function printJson(reached: Reached, detail: DeliveryDetail, reveal: boolean, terminal: Terminal) {
  const rest = JSON.stringify(detailRecord(detail))
  await terminal.print(`${rest.slice(0, -1)},"bodyBase64":"`)
  let from = 0
  for (;;) {
    const slice = await reached.call('deliveries.body', {
      id: detail.id,
      view: 'raw',
      from,
      length: PIECE,
      reveal,
    })
    await terminal.print(slice.bytesBase64)
    from += PIECE
    if (from >= slice.total || terminal.readerGone) break
  }
  await terminal.print('"}\n')
}

async function printForPeople(reached: Reached, detail: DeliveryDetail, reveal: boolean, terminal: Terminal) {
  const { text, more } = await shownBody(reached.call, detail.id, reveal)
  const rest = more > 0 ? [`… ${more} more bytes; --json prints all of them.`] : []
  const request = [
    visible(`${detail.method} ${detail.url} HTTP/${detail.httpVersion}`),
    ...detail.headers.map((one) => visible(`${one.name}: ${shownValue(one)}`)),
  ]
  const page = Number.isFinite(terminal.columns)
    ? [
        ...headOf(detail, painter(terminal.coloured)),
        '',
        ...factsOf(detail, IN_HEAD),
        '',
        ...request,
        '',
        visibleLines(rest.length === 0 && isJson(text) ? indented(text) : text),
      ]
    : [...request, '', ...factsOf(detail), '', visibleLines(text)]
  await terminal.print(`${[...page, ...rest].join('\n')}\n`)
}

const IN_HEAD: ReadonlySet<string> = new Set(['Event', 'Number', 'Party', 'Total', 'Answer', 'Verdict'])

/** First lines: the event, its document and its verdict. */
function headOf(detail: DeliveryDetail, paint: Paint): readonly string[] {
  const { document, verdict, answer, tookUs } = detail
  const [event, number] = [
    detail.event ?? detail.kind ?? `${detail.method} ${detail.url}`,
    document?.number ?? detail.number,
  ]
  const about = [event, number, document?.party, document && total(document)]
  const answered = `answered ${answer ?? 'nothing'}${tookUs === null ? '' : ` in ${durationText(tookUs)}`}`
  return [
    visible(about.filter((part) => part != null && part !== '–').join('   ')),
    `${paint(verdict && VERDICT_SHADES[verdict], verdict ?? 'not judged yet')} · ${answered} · ${counted(detail.size, 'byte')}`,
  ]
}

function factsOf(detail: DeliveryDetail, without: ReadonlySet<string> = new Set()): readonly string[] {
  const facts: readonly (readonly [string, string | number | null])[] = [
    ['Received', `${local(detail.receivedAt)} from ${detail.remoteAddress}`],
    ['Timestamp', detail.timestamp],
    ['Endpoint', detail.endpoint + (detail.rejected ? ' (rejected: wrong or missing secret)' : '')],
    ['Event', detail.event],
    ['Document', detail.documentId],
    ['Number', detail.document?.number ?? detail.number],
    ['Party', detail.document?.party ?? null],
    ['Total', detail.document?.total == null ? null : total(detail.document)],
    ['Status', detail.statusId],
    ['Marks', [...(detail.malformed ? [detail.malformed] : []), ...detail.marks].join(', ') || null],
    ['Tags', detail.tags.join(' ') || null],
    [
      'Body',
      detail.bodyKept < detail.size
        ? `cut: of ${detail.size} bytes the first ${detail.bodyKept} were kept`
        : null,
    ],
    ['Answer', detail.answer ?? 'none could be given'],
    ['Verdict', detail.verdict ?? 'not judged yet'],
  ]
  return [
    ...facts
      .filter(([name, value]) => value !== null && !without.has(name))
      .map(([name, value]) => `${name.padEnd(10)}${visible(String(value))}`),
    ...(without.size > 0 && detail.findings > 0 ? [''] : []),
    ...detail.findingList.map((finding) => `  ${findingLine(findingRecord(finding))}`),
    ...(detail.findings > detail.findingList.length
      ? [`  … and ${detail.findings - detail.findingList.length} more`]
      : []),
    ...(detail.noteText
      ? [`Note      ${visibleLines(detail.noteText.text).replaceAll('\n', '\n          ')}`]
      : []),
  ]
}

function tagFrom(text: string): string {
  const tag = tagOf(text)
  if (isTag(tag)) return tag
  throw new InvalidArgumentError(
    `A tag has 1 to ${TAG_LENGTH} characters, without spaces, commas, quotes, parentheses and "*".`,
  )
}

export const annotate = command({
  name: 'annotate',
  about: 'Write a note on deliveries, or tag them. Find them with has:note and tag:NAME.',
  args: { ids: many<number>('<id...>', 'ids, as "acuse events" prints them', deliveryId) },
  options: {
    note: option('<text>', 'replace the note; - reads stdin, "" removes it'),
    tag: many('<tag>', 'add a tag; repeatable', tagFrom),
    untag: many('<tag>', 'remove a tag; repeatable', tagFrom),
  },
  json: 'print {"changed": how many}',
  examples: [
    ['acuse annotate 42 --note "Asked the accountant"', 'a note'],
    ['acuse annotate 42 43 --tag urgent --untag new', 'tags of two deliveries'],
    ['acuse annotate 42 --note - < why.txt', 'a note from a file'],
  ],
  async run({ ids = [], note, tag = [], untag = [] }, cli) {
    const { terminal } = cli
    if (note === undefined && tag.length === 0 && untag.length === 0)
      throw wrongUsage('Name what to write: --note, --tag or --untag.')
    const both = tag.find((one) => untag.includes(one))
    if (both !== undefined) throw wrongUsage(`Give either --tag ${both} or --untag ${both}.`)
    const text = note === '-' ? (await terminal.readAll()).toString('utf8') : note
    if (text !== undefined && text.length > NOTE_LENGTH)
      throw wrongUsage(`The note has ${text.length} characters; the limit is ${NOTE_LENGTH}. Shorten it.`)
    await cli.existing(async ({ call }) => {
      // Refuse a mistyped id.
      for (const one of ids) await call('deliveries.get', { id: one })
      const notes = { ...defined({ note: text }), addTags: tag, removeTags: untag }
      const { changed } = await call('deliveries.annotate', { ids, ...notes })
      if (cli.json) await cli.print({ changed }, '')
      else terminal.say(changed === 0 ? 'It was so already.' : `Deliveries changed: ${changed}.`)
    })
  },
})
