import { existsSync, statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { CommandName, Params, Result } from '#contract/commands.ts'
import { AcuseError } from '#contract/errors.ts'
import type { Followed } from '#core/engine/wait-for.ts'
import { dataDir } from '../../data-dir.ts'
import { connectLocal } from '../../local/client.ts'
import { couldNot } from './failures.ts'
import { lossSentences } from './status-talk.ts'
import type { Terminal } from './terminal.ts'
import { didYouMean, knownNames } from './text.ts'

/** The engine of a data folder, in this process or another. */
export interface Reached {
  readonly dataDir: string
  /** Whether the engine runs in this process and ends with it. */
  readonly here: boolean
  call<C extends CommandName>(command: C, params: Params<C>): Promise<Result<C>>
  close(): Promise<void>
}

/** The engine of a running host, whose changes can be followed. */
export interface Running extends Reached {
  readonly follow: Followed['follow']
}

/** Longest wait for a host that is starting or ending: it locks the store without answering calls. */
const CHANGEOVER_MS = 5_000
const ANALYSED_MS = 3_600_000

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false

type Opener = (folder: string, terminal: Terminal) => Promise<Reached>

/**
 * Connects to the host that runs on the data folder. Without one it opens the store in this process, so that every command works
 * beside the open app. @param flag the value of --data @param open starts a host in this process; default: one without a receiver
 */
export async function reach(
  flag: string | undefined,
  terminal: Terminal,
  open: Opener = openHere,
): Promise<Reached> {
  const folder = dataDir(flag)
  if (isFile(folder)) return openSession(folder, terminal)
  const deadline = Date.now() + CHANGEOVER_MS
  for (;;) {
    const running = await reachClient(folder)
    if (running) return running
    try {
      return await open(folder, terminal)
    } catch (error) {
      const busy = error instanceof AcuseError && error.code === 'in-use'
      if (!busy || Date.now() > deadline) throw error
      await pause(100)
    }
  }
}

/** As `reach`, for commands that only read: a mistyped folder must not become a new, empty store. */
export function reachExisting(flag: string | undefined, terminal: Terminal): Promise<Reached> {
  const folder = dataDir(flag)
  if (!existsSync(folder)) throw couldNot(`There is no Acuse data in ${folder}; say where it is with --data.`)
  return reach(flag, terminal)
}

/** @throws CommandFailure when no host runs on the folder */
export async function reachRunning(flag: string | undefined): Promise<Running> {
  const folder = dataDir(flag)
  const running = await reachClient(folder)
  if (running) return running
  throw couldNot(`No Acuse is running on ${folder}; start one with "acuse serve".`)
}

async function reachClient(folder: string): Promise<Running | null> {
  const client = await connectLocal(folder)
  if (!client) return null
  const { call, close } = client
  const follow: Running['follow'] = async (changed) => {
    let ended = false
    await client.subscribe(() => ended || changed())
    return () => {
      ended = true
    }
  }
  return { dataDir: folder, here: false, call, close, follow }
}

/** Resolves the value of `--filter`: `@name` is the saved filter of that name, ignoring case. @throws AcuseError `not-found` */
export async function namedFilter(reached: Pick<Reached, 'call'>, text: string): Promise<string> {
  if (!text.startsWith('@')) return text
  const wanted = text.slice(1).trim().toLowerCase()
  const { savedFilters } = await reached.call('settings.get', {})
  const found = savedFilters.find(({ name }) => name.toLowerCase() === wanted)
  if (found) return found.filter
  const names = savedFilters.map(({ name }) => name)
  const known = names.length === 0 ? '' : ` ${knownNames(names)}`
  const hint = didYouMean(wanted, names, known, '@')
  throw new AcuseError('not-found', `There is no saved filter named "${text.slice(1)}".${hint}`)
}

/** A command on a session file ends with it, so it waits until everything is analysed. */
async function openSession(file: string, terminal: Terminal): Promise<Reached> {
  const { sessionHere, checkedCall } = await import('./here.ts')
  const { engine, close, dataDir: copy } = await sessionHere(file, dataDir(), terminal)
  await engine.call('deliveries.settled', { timeoutMs: ANALYSED_MS })
  return { dataDir: copy, here: true, call: checkedCall(engine), close }
}

async function openHere(folder: string, terminal: Terminal): Promise<Reached> {
  // Imported here: a command that finds a running host needs neither threads nor Express.
  const { hostHere, checkedCall } = await import('./here.ts')
  const { engine, close } = await hostHere(folder, terminal, { receiver: { enabled: false } })
  for (const sentence of lossSentences((await engine.call('status.get', {})).store)) terminal.say(sentence)
  return { dataDir: folder, here: true, call: checkedCall(engine), close }
}
