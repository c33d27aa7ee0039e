import { resolve } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { z } from 'zod'
import type { Result } from '#contract/commands.ts'
import { origin } from '#contract/params.ts'
import type { ExportSource } from '#contract/transfer.ts'
import { EXPORT_COLUMNS, EXPORT_FORMATS } from '#contract/transfer.ts'
import { readFilter } from '#core/filter/read.ts'
import {
  argument,
  type Cli,
  command,
  defined,
  flag,
  many,
  option,
  preset,
  type Values,
} from '../shared/command.ts'
import { CommandFailure, EXIT, wrongUsage } from '../shared/failures.ts'
import { namedFilter, type Reached } from '../shared/reach.ts'
import { stopSignal, writeUserFile } from '../shared/terminal.ts'
import { counted, didYouMean, knownNames, listed, number, visible } from '../shared/text.ts'

type Format = (typeof EXPORT_FORMATS)[number]

const OPTIONS = {
  format: option(
    '<format>',
    'how to write them (default: by the extension of --out)',
    z.enum(EXPORT_FORMATS),
  ),
  out: preset('<file>', 'the file to write; "-" is stdout', String, '-'),
  id: many<number>('<n...>', 'export these deliveries, by their ids', idsFrom),
  document: option('<id>', "export a document's whole life"),
  job: option('<n>', 'export what a replay job sent', z.int().min(1)),
  sweep: option('<n>', 'export the deliveries of the documents that a sweep returned', z.int().min(1)),
  bodies: flag('with ndjson: bodies, headers and answers too, so that the file can be imported'),
  columns: option(
    '<names>',
    `with csv: these columns, in this order (${EXPORT_COLUMNS.join(', ')})`,
    columnsFrom,
  ),
  base: option(
    '<origin>',
    'with curl, powershell, postman, fixture and har: send there instead of to the host received',
    origin,
  ),
  reveal: flag('write credentials too'),
  unmask: flag('write personal data too: names, tax ids, phones, e-mails, addresses'),
  preview: flag('write nothing: say what would be masked'),
}
type Given = Values<typeof OPTIONS>

function idsFrom(text: string): readonly number[] {
  return listed(text).map((word) => {
    if (!/^\d{1,15}$/.test(word) || Number(word) < 1)
      throw new InvalidArgumentError('Give ids of deliveries, such as 12,15.')
    return Number(word)
  })
}

function columnsFrom(text: string): readonly (typeof EXPORT_COLUMNS)[number][] {
  return listed(text).map((word) => {
    const found = EXPORT_COLUMNS.find((one) => one === word)
    if (!found)
      throw new InvalidArgumentError(
        `There is no column "${visible(word)}".${didYouMean(word, EXPORT_COLUMNS, ` ${knownNames(EXPORT_COLUMNS)}`)}`,
      )
    return found
  })
}

/** Formats that each option changes: with another one it would do nothing. */
const ONLY: Readonly<Partial<Record<keyof Given, readonly Format[]>>> = {
  bodies: ['ndjson'],
  columns: ['csv'],
  base: ['curl', 'powershell', 'postman', 'fixture', 'har'],
}

const EXTENSIONS: readonly (readonly [ending: string, format: Format])[] = [
  ['.acuse', 'session'],
  ['.ndjson', 'ndjson'],
  ['.jsonl', 'ndjson'],
  ['.csv', 'csv'],
  ['.har', 'har'],
  ['.tar', 'raw'],
  ['.sh', 'curl'],
  ['.ps1', 'powershell'],
  ['.postman_collection.json', 'postman'],
  ['.test.mjs', 'fixture'],
  ['.md', 'report'],
]

const formatOf = ({ format, out }: Given): Format | undefined =>
  format ?? EXTENSIONS.find(([ending]) => out.toLowerCase().endsWith(ending))?.[1]

async function sourceFrom(filter: string | undefined, given: Given, reached: Reached): Promise<ExportSource> {
  const { id, document, job, sweep } = given
  const sources: ExportSource[] = [
    ...(filter === undefined
      ? []
      : [{ type: 'filter', filter: await namedFilter(reached, filter) } as const]),
    ...(id ? [{ type: 'ids', ids: id } as const] : []),
    ...(document === undefined ? [] : [{ type: 'document', documentId: document } as const]),
    ...(job === undefined ? [] : [{ type: 'job', job } as const]),
    ...(sweep === undefined ? [] : [{ type: 'sweep', sweep } as const]),
  ]
  if (sources.length > 1) throw wrongUsage('Give one of a filter, --id, --document, --job and --sweep.')
  const [source = { type: 'filter', filter: '' } as const] = sources
  if (source.type === 'filter') readFilter(source.filter)
  return source
}

export const exportCommand = command({
  name: 'export',
  about:
    'Write deliveries to a file: all of them, or those of a filter, a document, a job or a sweep. Credentials and personal data are masked.',
  args: {
    filter: argument<string | undefined>(
      '[filter]',
      'only those the filter selects (as in the window)',
      String,
    ),
  },
  options: OPTIONS,
  json: 'print {"file": …, "format": …, "deliveries": …} when the file is written',
  examples: [
    ['acuse export --out monday.acuse', 'everything, with attempts and sweeps, for another Acuse'],
    ['acuse export "verdict:invalid" --out bad.md', 'a bug report of the invalid deliveries'],
    ['acuse export --document 5f0c1d2e --format curl', 'commands that send one document’s events again'],
    [
      'acuse export "received:today" --out today.csv --columns receivedAt,kind,number,total',
      'a table for a spreadsheet',
    ],
    ['acuse export --job 3 --out job.har --preview', 'what the file would mask'],
  ],
  run: ({ filter, ...given }, cli) =>
    cli.existing(async (reached) => {
      const masking = { reveal: given.reveal, unmask: given.unmask }
      const source = await sourceFrom(filter, given, reached)
      const format = formatOf(given)
      for (const [name, formats] of Object.entries(ONLY))
        if (cli.written.includes(name) && !formats.some((one) => one === format))
          throw wrongUsage(
            `--${name} goes with --format ${formats.join(', ')}; the format is ${format ?? 'not given'}.`,
          )
      // As --dry-run elsewhere, it goes before the command that it foretells, with all its options.
      if (given.preview) return preview(cli, await reached.call('export.preview', { source, ...masking }))
      if (!format) throw wrongUsage(`Say the format with --format: ${EXPORT_FORMATS.join(', ')}.`)
      if (cli.json && given.out === '-')
        throw wrongUsage('--json needs --out FILE: stdout already gets the deliveries.')
      const { columns, base, bodies } = given
      const params = { source, format, ...masking, bodies, ...defined({ columns, base }) }
      return write(cli, reached, given.out, format, await reached.call('export.open', params))
    }),
})

interface Opened {
  readonly id: number
  readonly deliveries: number | null
}

async function write(cli: Cli, reached: Reached, out: string, format: Format, { id, deliveries }: Opened) {
  const { terminal } = cli
  let stopped = false
  let halt = () => {}
  void stopSignal(terminal.say, EXIT.failed).then(() => {
    stopped = true
    halt()
  })
  // A slow filter may find nothing for minutes. No race, which would keep every piece until the stop.
  const read = () =>
    new Promise<Result<'export.read'> | null>((resume, fail) => {
      halt = () => resume(null)
      if (stopped) halt()
      else reached.call('export.read', { id }).then(resume, fail)
    })
  let written = 0
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = await read()
      if (!piece)
        throw new CommandFailure(
          EXIT.failed,
          out === '-' ? 'Stopped before the end.' : 'Stopped: nothing was written.',
        )
      if (piece.done) return
      written = piece.written
      yield Buffer.from(piece.bytesBase64, 'base64')
      terminal.progress(
        `Exported ${number(written)}${deliveries === null ? '' : ` of ${number(deliveries)}`}`,
      )
    }
  }
  try {
    if (out === '-')
      for await (const piece of pieces()) {
        await terminal.print(piece)
        if (terminal.readerGone) return
      }
    else await writeUserFile(out, pieces())
  } finally {
    terminal.progress(null)
    await reached.call('export.close', { id })
  }
  const file = out === '-' ? null : resolve(out)
  if (file !== null)
    await cli.done(`${counted(written, 'delivery')} written to ${visible(out)}.`, {
      file,
      format,
      deliveries: written,
    })
}

interface Preview {
  readonly deliveries: number | null
  readonly looked: number
  readonly masked: readonly { readonly kind: string; readonly place: string; readonly values: number }[]
}

function preview(cli: Cli, found: Preview): Promise<void> {
  const { deliveries, looked, masked } = found
  const all = deliveries === null ? 'not counted yet' : number(deliveries)
  const lines = masked.map(({ kind, place, values }) =>
    visible(`${number(values).padStart(9)}  ${kind.padEnd(10)}  ${place}`),
  )
  const head = `Deliveries: ${all}. Looked at the first ${number(looked)}; the export would mask:`
  return cli.print(found, `${[head, ...(lines.length > 0 ? lines : ['  nothing']), ''].join('\n')}`)
}
