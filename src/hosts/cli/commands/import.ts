import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { endpointName } from '#contract/params.ts'
import type { ImportState, SessionParts } from '#contract/transfer.ts'
import { fileTrouble } from '#core/file-trouble.ts'
import { type Cli, command, defined, many, option } from '../shared/command.ts'
import { CommandFailure, couldNot, EXIT } from '../shared/failures.ts'
import type { Reached } from '../shared/reach.ts'
import { polls, stopSignal } from '../shared/terminal.ts'
import { counted, number, visible } from '../shared/text.ts'

const PIECE = 256 * 1024
/** Problems of one file that are printed; `--json` prints up to a hundred. */
const SHOWN = 20

interface File {
  readonly path: string
  readonly modifiedAt: number
}

/** The files of a path: itself, or every file below it, by name. Hidden ones are no payloads. @throws CommandFailure */
async function filesAt(path: string): Promise<readonly File[]> {
  try {
    const found = await stat(path)
    if (!found.isDirectory()) return [{ path, modifiedAt: Math.max(0, Math.floor(found.mtimeMs)) }]
    const entries = await readdir(path, { withFileTypes: true })
    const names = entries
      .filter((entry) => !entry.name.startsWith('.') && (entry.isFile() || entry.isDirectory()))
      .map(({ name }) => name)
      .sort()
    const lists: (readonly File[])[] = []
    for (const name of names) lists.push(await filesAt(join(path, name)))
    return lists.flat()
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    throw couldNot(`${visible(path)} cannot be read: ${visible(fileTrouble(error))}.`)
  }
}

interface Progress {
  readonly stop: Promise<void>
  stopped(): boolean
}

async function imported(
  cli: Cli,
  { call }: Reached,
  { path, modifiedAt }: File,
  endpoint: string | undefined,
  { stop, stopped }: Progress,
): Promise<ImportState> {
  const { id } = await call('import.open', { name: basename(path), modifiedAt, ...defined({ endpoint }) })
  let ended: ImportState
  try {
    for await (const piece of createReadStream(path, { highWaterMark: PIECE })) {
      if (stopped()) break
      const { received } = await call('import.write', {
        id,
        bytesBase64: Buffer.from(piece).toString('base64'),
      })
      cli.terminal.progress(`${visible(basename(path))}: ${number(received)} bytes`)
    }
    if (!stopped()) await call('import.run', { id })
    for await (const stopping of polls(stop, 20, 500)) {
      const state = await call('import.get', { id })
      if (stopping || (state.state !== 'reading' && state.state !== 'receiving')) break
      cli.terminal.progress(`${visible(basename(path))}: ${number(state.imported)} imported`)
    }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error)
      throw couldNot(`${visible(path)} cannot be read: ${visible(fileTrouble(error))}.`)
    throw error
  } finally {
    cli.terminal.progress(null)
    // After a stop it waits for what is being stored, and counts it.
    ended = await call('import.close', { id })
  }
  return ended
}

/** Sentences about one file, for stderr. */
function linesOf(path: string, { state, reason, problems, bad }: ImportState): readonly string[] {
  const shown = problems
    .slice(0, SHOWN)
    .map(({ place, reason: why }) => `${visible(path)}: ${visible(place)}: ${visible(why.message)}`)
  return [
    ...shown,
    ...(bad > shown.length
      ? [`${visible(path)}: ${number(bad - shown.length)} more records are no deliveries.`]
      : []),
    ...(state === 'failed' ? [`${visible(path)}: ${visible(reason?.message ?? '')}`] : []),
  ]
}

export const importCommand = command({
  name: 'import',
  about:
    'Take in deliveries that another program received: session files with their attempts, jobs and sweeps, HAR, NDJSON, raw requests and archives of them, JSON payloads. Exit code 1 when a record is no delivery, or when something is left out.',
  args: { paths: many('<path...>', 'files, or folders whose files are all imported') },
  options: {
    endpoint: option('<name>', 'the endpoint of deliveries that state none (default)', endpointName),
  },
  json: 'print {"imported": …, "duplicates": …, "bad": …, "files": […]}',
  examples: [
    ['acuse import monday.acuse', 'what another Acuse exported as a session'],
    ['acuse import recording.har', 'what a browser or a proxy recorded'],
    ['acuse import payloads/', 'a folder of JSON bodies'],
    ['acuse events --filter is:imported', 'what was imported'],
  ],
  run: ({ paths = [], endpoint }, cli) =>
    cli.made(async (reached) => {
      const files = (await Promise.all(paths.map(filesAt))).flat()
      let ended = false
      const stop = stopSignal(cli.terminal.say, EXIT.failed).then(() => {
        ended = true
      })
      const states: { file: string; state: ImportState }[] = []
      for (const file of files) {
        if (ended) break
        const state = await imported(cli, reached, file, endpoint, { stop, stopped: () => ended })
        for (const line of linesOf(file.path, state)) cli.terminal.say(line)
        states.push({ file: file.path, state })
      }
      const sum = (of: 'imported' | 'duplicates' | 'bad') =>
        states.reduce((all, { state }) => all + state[of], 0)
      const total = { imported: sum('imported'), duplicates: sum('duplicates'), bad: sum('bad') }
      const parts = states.flatMap(({ state: { session } }) => session ?? [])
      const merged = (['attempts', 'jobs', 'sweeps'] as const).flatMap((what) => {
        const of = (as: keyof SessionParts['jobs']) => parts.reduce((all, part) => all + part[what][as], 0)
        const [taken, known, leftOut] = [of('taken'), of('known'), of('leftOut')]
        if (taken + known + leftOut === 0) return []
        const left = leftOut > 0 ? `, ${number(leftOut)} left out` : ''
        return ` ${number(taken)} ${what} imported, ${number(known)} known already${left}.`
      })
      if (states.some(({ state }) => state.problems.length > 0)) cli.exitWith(EXIT.found)
      if (ended || states.some(({ state }) => state.state === 'failed')) cli.exitWith(EXIT.failed)
      const sentence = [
        `${number(total.imported)} imported`,
        `${number(total.duplicates)} known already`,
        `${counted(total.bad, 'bad record')}.${merged.join('')}${ended ? ' Stopped before the end; what was imported stays.' : ''}`,
      ].join(', ')
      await cli.done(sentence, { ...total, files: states.map(({ file, state }) => ({ file, ...state })) })
    }),
})
