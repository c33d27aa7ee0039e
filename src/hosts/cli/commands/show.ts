import { type Command, InvalidArgumentError } from 'commander'
import type { DeliveryDetail } from '#contract/delivery.ts'
import { type CommonOptions, examples, withCommon } from '../shared/options.ts'
import { type Reached, reachExisting, using } from '../shared/reach.ts'
import { detailRecord, findingLine, findingRecord, local } from '../shared/records.ts'
import type { CommandContext, Terminal } from '../shared/terminal.ts'
import { visible, visibleLines } from '../shared/text.ts'

interface ShowOptions extends CommonOptions {
  readonly reveal?: boolean
}

/** A multiple of three, so that pieces of base64 can be put one after the other. */
const PIECE = 3 * 1_048_576
/** More of a body than this is of no use on a screen. */
const SHOWN = 64 * 1_024
const ANALYSIS_MS = 5_000

/** `acuse show ID`: one delivery whole. */
export function addShow(program: Command, { terminal }: CommandContext): void {
  const show = program
    .command('show')
    .description('Show one delivery: headers as received, findings, answer, body.')
    .argument('<id>', 'its id, as "acuse events" prints it', deliveryId)
    .option('--reveal', 'print credentials too: values of secret headers, and those in the request target')
  examples(withCommon(show, 'one JSON object, with the body as bodyBase64'), [
    ['acuse show 42', 'for reading'],
    ['acuse show 42 --json | jq -r .bodyBase64 | base64 -d', 'the body, byte for byte'],
  ]).action((id: number, options: ShowOptions) =>
    using(reachExisting(options.data, terminal), async (reached) => {
      await reached.call('deliveries.settled', { timeoutMs: ANALYSIS_MS })
      const reveal = options.reveal === true
      const detail = await reached.call('deliveries.get', { id, reveal })
      await (options.json ? printJson : printForPeople)(reached, detail, reveal, terminal)
    }),
  )
}

function deliveryId(text: string): number {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0
  if (id < 1) throw new InvalidArgumentError('Give a whole number from 1.')
  return id
}

/** The body goes out piece by piece: a gigabyte as one string is more than Node can hold. */
async function printJson(
  reached: Reached,
  detail: DeliveryDetail,
  reveal: boolean,
  terminal: Terminal,
): Promise<void> {
  const rest = JSON.stringify(detailRecord(detail))
  await terminal.print(`${rest.slice(0, -1)},"bodyBase64":"`)
  let from = 0
  for (;;) {
    const slice = await reached.call('deliveries.body', {
      ...{ id: detail.id, view: 'raw', from, length: PIECE, reveal },
    })
    await terminal.print(slice.bytesBase64)
    from += PIECE
    if (from >= slice.total || terminal.readerGone) break
  }
  await terminal.print('"}\n')
}

async function printForPeople(
  reached: Reached,
  detail: DeliveryDetail,
  reveal: boolean,
  terminal: Terminal,
): Promise<void> {
  const decoded = await reached.call('deliveries.body', {
    id: detail.id,
    ...{ view: 'decoded', from: 0, length: SHOWN, reveal },
  })
  const body =
    decoded.problem === null
      ? decoded
      : await reached.call('deliveries.body', {
          ...{ id: detail.id, view: 'raw', from: 0, length: SHOWN, reveal },
        })
  const facts: readonly (readonly [string, string | number | null])[] = [
    ['Received', `${local(detail.receivedAt)} from ${detail.remoteAddress}`],
    ['Endpoint', detail.endpoint + (detail.rejected ? ' (rejected: wrong or missing secret)' : '')],
    ['Event', detail.event],
    ['Document', detail.documentId],
    ['Number', detail.number],
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
  const lines = [
    visible(`${detail.method} ${detail.url} HTTP/${detail.httpVersion}`),
    ...detail.headers.map(({ name, value, masked }) =>
      visible(`${name}: ${masked ? `<masked: ${value}>` : value}`),
    ),
    '',
    ...facts
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${name.padEnd(9)} ${visible(String(value))}`),
    ...detail.findingList.map((finding) => `  ${findingLine(findingRecord(finding))}`),
    ...(detail.findings > detail.findingList.length
      ? [`  … and ${detail.findings - detail.findingList.length} more`]
      : []),
    ...(detail.noteText
      ? [`Note      ${visibleLines(detail.noteText.text).replaceAll('\n', '\n          ')}`]
      : []),
    '',
    visibleLines(Buffer.from(body.bytesBase64, 'base64').toString()),
    ...(body.total > SHOWN ? [`… ${body.total - SHOWN} more bytes; --json prints all of them.`] : []),
  ]
  await terminal.print(`${lines.join('\n')}\n`)
}
