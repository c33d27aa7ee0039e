import type { CommandName, Params, Result } from '#contract/commands.ts'
import type { Engine } from '#core/engine/engine.ts'
import { assemble, type Host, type HostOptions } from '../../assemble.ts'
import { ensureDataDir } from '../../data-dir.ts'
import type { LocalClient } from '../../local/client.ts'
import { openSecrets } from '../../secrets-file.ts'
import { openSessionFile, sessionOptions } from '../../session-host.ts'
import { hostWorkers } from '../../workers.ts'
import { type Terminal, VERSION } from './terminal.ts'

export const PLAIN_NODE = { osSecretStore: false, weakSecretStore: false, nativeWindow: false }

/** Starts a host in this process without desktop features; secrets are in a file. @throws AcuseError as `assemble` does */
export const hostHere = async (
  folder: string,
  { say }: Pick<Terminal, 'say'>,
  more: Pick<HostOptions, 'receiver'> & Partial<HostOptions>,
): Promise<Host> => {
  ensureDataDir(folder, say)
  return assemble({
    dataDir: folder,
    workers: hostWorkers,
    secrets: await openSecrets(folder),
    capabilities: { ...PLAIN_NODE, uiLinks: false },
    version: VERSION,
    warn: say,
    ...more,
  })
}

/** Starts a host on a session file, and analyses it. @param own the user's data folder @throws AcuseError as `openSessionFile` */
export async function sessionHere(
  file: string,
  own: string,
  terminal: Pick<Terminal, 'say'>,
  more: Partial<HostOptions> = {},
): Promise<Host> {
  const unpacked = openSessionFile(file, own)
  try {
    const host = await hostHere(unpacked.folder, terminal, { ...more, ...sessionOptions(unpacked) })
    return { ...host, close: () => host.close().finally(unpacked.remove) }
  } catch (error) {
    unpacked.remove()
    throw error
  }
}

/** Calls an engine of this process with validation: parameters typed by a user need the same checks as those from a network. */
export const checkedCall =
  (engine: Engine): LocalClient['call'] =>
  <C extends CommandName>(command: C, params: Params<C>) =>
    engine.dispatch(command, params) as Promise<Result<C>>
