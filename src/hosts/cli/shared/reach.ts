import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { CommandName, Params, Result } from '#contract/commands.ts'
import { AcuseError } from '#contract/errors.ts'
import { nearest } from '#core/filter/nearest.ts'
import { dataDir } from '../../data-dir.ts'
import { connectLocal } from '../../local/client.ts'
import { couldNot } from './failures.ts'
import { type Terminal, VERSION } from './terminal.ts'
import { knownNames } from './text.ts'

/** The engine behind a data folder, wherever it runs. */
export interface Reached {
  readonly dataDir: string
  /** Whether it runs in this process, and ends with it. */
  readonly here: boolean
  call<C extends CommandName>(command: C, params: Params<C>): Promise<Result<C>>
  close(): Promise<void>
}

/** A host that is just starting or ending holds the store for a moment without answering yet, or any more. */
const CHANGEOVER_MS = 5_000

type Opener = (folder: string, terminal: Terminal) => Promise<Reached>

/**
 * Speaks to the host that runs on the data folder; opens the store in this process only when none does, so that every command works
 * beside the open app.
 * @param flag the value of --data
 * @param open makes a host in this process; when this is left out, one that receives nothing
 * @throws AcuseError as `assemble` and `connectLocal` do
 */
export async function reach(
  flag: string | undefined,
  terminal: Terminal,
  open: Opener = openHere,
): Promise<Reached> {
  const folder = dataDir(flag)
  const deadline = Date.now() + CHANGEOVER_MS
  for (;;) {
    const client = await connectLocal(folder)
    if (client) return { dataDir: folder, here: false, call: client.call, close: client.close }
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
export async function reachRunning(flag: string | undefined): Promise<Reached> {
  const folder = dataDir(flag)
  const client = await connectLocal(folder)
  if (client) return { dataDir: folder, here: false, call: client.call, close: client.close }
  throw couldNot(`No Acuse is running on ${folder}; start one with "acuse serve".`)
}

/**
 * The filter that `--filter` means: `@name` stands for the one saved under that name, ignoring case.
 * @throws AcuseError `not-found`
 */
export async function namedFilter(reached: Pick<Reached, 'call'>, text: string): Promise<string> {
  if (!text.startsWith('@')) return text
  const wanted = text.slice(1).trim().toLowerCase()
  const { savedFilters } = await reached.call('settings.get', {})
  const found = savedFilters.find(({ name }) => name.toLowerCase() === wanted)
  if (found) return found.filter
  const names = savedFilters.map(({ name }) => name)
  const [meant] = nearest(wanted, names)
  const known = names.length === 0 ? '' : ` ${knownNames(names)}`
  const hint = meant ? ` Did you mean @${meant}?` : known
  throw new AcuseError('not-found', `There is no saved filter named "${text.slice(1)}".${hint}`)
}

async function openHere(folder: string, terminal: Terminal): Promise<Reached> {
  // Loaded only now: a command that finds a running host needs neither threads nor Express.
  const [{ assemble }, { openSecrets }, { hostWorkers }] = await Promise.all([
    import('../../assemble.ts'),
    import('../../secrets-file.ts'),
    import('../../workers.ts'),
  ])
  const host = await assemble({
    dataDir: folder,
    workers: hostWorkers,
    secrets: await openSecrets(folder),
    capabilities: { osSecretStore: false, weakSecretStore: false, nativeWindow: false, uiLinks: false },
    version: VERSION,
    receiver: { enabled: false },
    warn: terminal.say,
  })
  return {
    dataDir: folder,
    here: true,
    // Through the same check as at every boundary: text typed here is no better than text from a wire.
    call: <C extends CommandName>(command: C, params: Params<C>) =>
      host.engine.dispatch(command, params) as Promise<Result<C>>,
    close: host.close,
  }
}
