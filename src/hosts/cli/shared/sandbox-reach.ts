import { InvalidArgumentError } from 'commander'
import type { Kind } from '#catalog/kinds.ts'
import {
  DELIVERY_METHODS,
  type DeliveryMethod,
  PLUGIN_EVENT_TYPES,
  type PluginEventType,
} from '#catalog/service.ts'
import type { Params, Result } from '#contract/commands.ts'
import { AcuseError } from '#contract/errors.ts'
import { fullUrl } from '#contract/params.ts'
import type { SandboxCallName } from '#contract/sandbox-commands.ts'
import { sandboxHandlers } from '#core/engine/sandbox.ts'
import { KIND_NAMES, KIND_WILDCARDS, kindsOf } from '#core/filter/values.ts'
import { createMasking, MASKED_NAMES } from '#core/masking.ts'
import type { SandboxControl } from '#core/ports.ts'
import { callSandbox } from '#outbound/sandbox-client.ts'
import { urlProblem } from '#sandbox/records/subscriptions.ts'
import { dataDir } from '../../data-dir.ts'
import { connectLocal } from '../../local/client.ts'
import { recallSandbox } from '../../memories.ts'
import { runningSandbox, type SandboxReady } from '../../sandbox-word.ts'
import { type Cli, flag } from './command.ts'
import { couldNot, wrongUsage } from './failures.ts'
import { didYouMean, listed, visible } from './text.ts'

export const activeOptions = (active: string, inactive: string) => ({
  active: flag(active),
  inactive: { ...flag(inactive), not: ['active'] },
})

/** @returns the change of `active`, empty without either option */
export const switched = ({ active, inactive }: { readonly active: boolean; readonly inactive: boolean }) =>
  active || inactive ? { active } : {}

/** Parses the HTTP method of a subscription (What the service does, rule 6), ignoring case. */
export function methodFrom(text: string): DeliveryMethod {
  const found = DELIVERY_METHODS.find((method) => method === text.toUpperCase())
  if (found === undefined) throw new InvalidArgumentError(`Give ${DELIVERY_METHODS.join(', ')}.`)
  return found
}

export function sandboxAddress(given: string): string {
  const text = fullUrl(given)
  const problem = urlProblem(text)
  if (problem !== null)
    throw new InvalidArgumentError(`${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`)
  return text
}

/** Calls a command of the sandbox; the result masks credentials as the window does. */
export type SandboxCall = <C extends SandboxCallName>(command: C, params: Params<C>) => Promise<Result<C>>

/** Runs `work` with the sandbox of a data folder, in this process or another. @throws CommandFailure when no sandbox runs there */
export async function usingSandbox<T>(flag: string | undefined, work: (call: SandboxCall) => Promise<T>) {
  const folder = dataDir(flag)
  const ready = await runningSandbox(folder)
  if (!ready)
    throw couldNot(
      `No sandbox runs on ${folder}. Start one with "acuse sandbox" or "acuse serve --sandbox", or say with --data where it is.`,
    )
  // Prefer the host: it knows the endpoints, and so which headers carry secrets.
  const host = await connectLocal(folder)
  if (!host) return work(await directly(ready, folder))
  try {
    return await work(host.call)
  } finally {
    await host.close()
  }
}

export const IN_SANDBOX = (cli: Cli, work: (call: SandboxCall) => Promise<void>): Promise<void> =>
  usingSandbox(cli.folder, work)

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

const ALL = 'all'

/** Parses kinds as the filter's `kind:` does: names and wildcards, or "all". @returns each kind once, in catalogue order */
export function kindsFrom(text: string): readonly Kind[] {
  const found = new Set(
    words('--kinds', text).flatMap((word) => {
      const kinds = word === ALL ? KIND_NAMES : kindsOf(word)
      if (kinds.length === 0)
        throw unknown('--kinds', word, 'none of the 28 kinds of event', [
          ALL,
          ...KIND_NAMES,
          ...KIND_WILDCARDS,
        ])
      return kinds
    }),
  )
  return KIND_NAMES.filter((kind) => found.has(kind))
}

/** Formats kinds as briefly as possible: "all 28 kinds", or names and wildcards. */
export function kindsText(kinds: readonly Kind[]): string {
  if (kinds.length === KIND_NAMES.length) return `all ${kinds.length} kinds`
  if (kinds.length === 0) return 'none'
  const families = Map.groupBy(kinds, (kind) => `${kind.split('.')[0]}.*`)
  return [...families]
    .map(([wildcard, some]) => (some.length === kindsOf(wildcard).length ? wildcard : some.join(', ')))
    .join(', ')
}

/** Parses plugin event types, or "all". @throws CommandFailure that names an unknown type */
export function eventTypesFrom(text: string): readonly PluginEventType[] {
  const wanted = words('--event-types', text)
  for (const word of wanted)
    if (word !== ALL && !PLUGIN_EVENT_TYPES.some((type) => type === word))
      throw unknown('--event-types', word, 'no plugin event type', [ALL, ...PLUGIN_EVENT_TYPES])
  return PLUGIN_EVENT_TYPES.filter((type) => wanted.includes(ALL) || wanted.includes(type))
}

function words(option: string, text: string): readonly string[] {
  const found = listed(text.toLowerCase())
  if (found.length === 0) throw wrongUsage(`${option} takes names with commas between them, or "${ALL}".`)
  return found
}

function unknown(option: string, word: string, what: string, names: readonly string[]) {
  const known =
    option === '--kinds'
      ? ' "acuse trigger --list" shows them.'
      : ` There are ${PLUGIN_EVENT_TYPES.join(', ')}.`
  return wrongUsage(`${option}: "${visible(word)}" is ${what}.${didYouMean(word, names, known)}`)
}
