import type { Params, Result } from '#contract/commands.ts'
import { AcuseError } from '#contract/errors.ts'
import type { SandboxCallName } from '#contract/sandbox-commands.ts'
import { sandboxHandlers } from '#core/engine/sandbox.ts'
import { createMasking, MASKED_NAMES } from '#core/masking.ts'
import type { SandboxControl } from '#core/ports.ts'
import { callSandbox } from '#outbound/sandbox-client.ts'
import { dataDir } from '../data-dir.ts'
import { connectLocal } from '../local/client.ts'
import { recallSandbox } from '../sandbox-memory.ts'
import { runningSandbox, type SandboxReady } from '../sandbox-word.ts'
import { couldNot } from './failures.ts'

/** Gives a command to the sandbox; credentials in its result are covered as in the window. */
export type SandboxCall = <C extends SandboxCallName>(command: C, params: Params<C>) => Promise<Result<C>>

/**
 * Runs a command's work with the sandbox of a data folder, in whatever process it runs.
 * @param flag the value of --data
 * @throws CommandFailure when none runs there
 */
export async function usingSandbox<T>(
  flag: string | undefined,
  work: (call: SandboxCall) => Promise<T>,
): Promise<T> {
  const folder = dataDir(flag)
  const ready = await runningSandbox(folder)
  if (!ready)
    throw couldNot(
      `No sandbox runs on ${folder}. Start one with "acuse sandbox" or "acuse serve --sandbox", or say with --data where it is.`,
    )
  // The host knows the endpoints, so it knows best which headers carry secrets.
  const host = await connectLocal(folder)
  if (!host) return work(await directly(ready, folder))
  try {
    return await work(host.call)
  } finally {
    await host.close()
  }
}

async function directly(
  { sandbox: url, admin: adminToken }: SandboxReady,
  folder: string,
): Promise<SandboxCall> {
  const elsewhere = () => {
    throw new AcuseError('not-available', 'The sandbox runs in another process.')
  }
  const control: SandboxControl = {
    status: async () => ({ running: true, url }),
    start: elsewhere,
    stop: elsewhere,
    call: (command, params) => callSandbox({ url, adminToken }, command, params),
  }
  const header = (await recallSandbox(folder)).subscription?.header?.toLowerCase()
  const names = [...MASKED_NAMES, ...(header === undefined ? [] : [header])]
  const handlers = sandboxHandlers(
    control,
    createMasking(() => names),
  )
  return (command, params) => handlers[command](params)
}

/**
 * Turns the sandbox's refusal of an id into a sentence with the way out.
 * @param thing what has the id, as in "subscription"; @param list the command that shows them
 */
export async function known<T>(thing: string, id: number, list: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AcuseError && error.code === 'not-found') throw unknownId(thing, id, list)
    throw error
  }
}

export const unknownId = (thing: string, id: number, list: string) =>
  couldNot(`There is no ${thing} ${id}; "${list}" shows those there are.`)
