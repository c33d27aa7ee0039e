import { type Kind, kindSpec } from '#catalog/kinds.ts'
import { AcuseError } from '#contract/errors.ts'
import { endpointName, id } from '#contract/params.ts'
import { KIND_NAMES } from '#core/filter/values.ts'
import {
  argument,
  type Cli,
  command,
  type Declaration,
  type Shape,
  type Spec,
  type Values,
} from './command.ts'
import { couldNot, wrongUsage } from './failures.ts'
import type { Reached } from './reach.ts'
import { didYouMean, knownNames, visible } from './text.ts'

type Call = Reached['call']
interface Named {
  readonly name: string
}

export interface Noun {
  readonly noun: 'target' | 'forward' | 'connection' | 'alert'
  /** Example of the options that a new entry needs. */
  readonly needs: string
}

export interface Things<T extends Named> extends Noun {
  all(call: Call): Promise<readonly T[]>
}

const howToMake = ({ noun, needs }: Noun, name = 'NAME'): string => `acuse ${noun}s set ${name} ${needs}`

export const nameArgument = argument('<name>', 'its name', endpointName)
const newName = argument('<name>', 'its name: a-z, 0-9 and "-"', endpointName)

/** Parses the name of a kind. @throws CommandFailure that suggests the nearest name */
export function kindNamed(text: string): Kind {
  const spec = kindSpec(text)
  if (spec) return spec.kind
  throw wrongUsage(
    `"${visible(text.slice(0, 80))}" is none of the 28 kinds.${didYouMean(text, KIND_NAMES, ' Did you mean factura.created?')}`,
  )
}

/** @throws CommandFailure that suggests the nearest name */
export function find<T extends Named>(things: Noun, name: string, all: readonly T[]): T {
  const found = all.find((one) => one.name === name)
  if (found) return found
  const names = all.map((one) => one.name)
  const known =
    names.length === 0 ? ` There are none yet; make one with: ${howToMake(things)}` : ` ${knownNames(names)}`
  throw couldNot(`There is no ${things.noun} named "${visible(name)}".${didYouMean(name, names, known)}`)
}

/** @returns the saved entry; undefined for a new name @throws CommandFailure when a new entry lacks required options */
async function present<T extends Named>(
  things: Things<T>,
  name: string,
  complete: boolean,
  call: Call,
): Promise<T | undefined> {
  const found = (await things.all(call)).find((one) => one.name === name)
  if (found || complete) return found
  throw wrongUsage(`There is no ${things.noun} named "${name}" yet; make it with: ${howToMake(things, name)}`)
}

/** What a `set` command knows when it saves. */
interface Saving<T> extends Pick<Reached, 'call'> {
  readonly reached: Reached
  readonly cli: Cli
  readonly name: string
  readonly old: T | undefined
  /** Of the entry that is changed; none for a new one. */
  readonly previous: { readonly previousName?: string }
}

interface Setting<T, O extends Shape, C> extends Pick<Spec, 'examples' | 'note'> {
  readonly options: O
  /** Whether the options are enough for a new entry. */
  complete(given: Values<O>): boolean
  /** Reads the options. @throws CommandFailure for those that do not go together */
  read(given: Values<O>, cli: Cli): C | Promise<C>
  /** @returns the name that the entry has then */
  save(change: C, given: Values<O>, saving: Saving<T>): Promise<string>
}

/** A `set` command: makes an entry or changes one. With --json it prints the present state. */
export const setOf = <T extends Named, O extends Shape, C>(
  things: Things<T>,
  { options, complete, read, save, ...spec }: Setting<T, O, C>,
): Declaration =>
  command({
    name: 'set',
    about: `Create ${/^[aeiou]/.test(things.noun) ? 'an' : 'a'} ${things.noun}, or change one. Options that you omit keep their values.`,
    args: { name: newName },
    options,
    json: `print the ${things.noun} as it is then`,
    ...spec,
    async run(given, cli) {
      if (cli.written.length === 0)
        throw wrongUsage(`Name an option to set; "acuse ${things.noun}s set --help" lists them.`)
      const change = await read(given, cli)
      const { name } = given
      await cli.made(async (reached) => {
        const { call } = reached
        const old = await present(things, name, complete(given), call)
        const previous = old ? { previousName: name } : {}
        const now = await save(change, given, { reached, call, cli, name, old, previous })
        const shown = cli.json ? (await things.all(call)).find((one) => one.name === now) : undefined
        await cli.done(`${capital(things.noun)} ${now} ${old ? 'changed' : 'made'}.`, shown)
      })
    },
  })

type Way<C> = (cli: Cli, work: (call: C) => Promise<void>) => Promise<void>
export const EXISTING: Way<Call> = (cli, work) => cli.existing(({ call }) => work(call))
export const RUNNING: Way<Call> = (cli, work) => cli.running(({ call }) => work(call))

interface Listing<C, R> extends Pick<Spec, 'about' | 'json' | 'examples'> {
  readonly way: Way<C>
  ask(call: C): Promise<R>
  /** What --json prints; default: the call's result. */
  record?(found: R): unknown
  texts(found: R): readonly string[]
  readonly none: string
  /** Prints further notes. */
  also?(found: R, say: Cli['terminal']['say']): void
}

/** A `list` command. Entries of several lines are separated by an empty line. */
export const listOf = <C, R>({ way, ask, record, texts, none, also, ...spec }: Listing<C, R>): Declaration =>
  command({
    name: 'list',
    ...spec,
    run: (_, cli) =>
      way(cli, async (call) => {
        const found = await ask(call)
        const shown = texts(found)
        const apart = shown.some((text) => text.indexOf('\n') < text.length - 1)
        await cli.print(record ? record(found) : found, shown.join(apart ? '\n' : ''))
        if (shown.length === 0) cli.terminal.say(`There are none. ${none}`)
        also?.(found, cli.terminal.say)
      }),
  })

export const makeOne = (noun: Noun): string => `Create one with: ${howToMake(noun)}`

export interface Numbered<C> {
  readonly noun: string
  /** The command that lists them, such as `acuse jobs list`. */
  readonly list: string
  readonly way: Way<C>
}
interface Act extends Pick<Spec, 'name' | 'about'> {
  /** Key under which --json prints the id; default `removed`. */
  readonly json?: string
  readonly example: string
  /** Past participle for the message, such as "removed". */
  readonly past: string
}

/** A command such as `remove ID`: one call, one sentence. */
export const actOf = <C>(
  things: Numbered<C>,
  { name, about, json = 'print {"removed": id}', example, past }: Act,
  ask: (call: C, id: number) => Promise<unknown>,
): Declaration =>
  command({
    name,
    about,
    json,
    args: { id: idArgument(things.list) },
    examples: [[`${things.list.replace(/list$/, name)} 2`, example]],
    run: ({ id }, cli) =>
      things.way(cli, async (call) => {
        const result = await known(things, id, ask(call, id))
        await cli.done(`${capital(things.noun)} ${id} ${past}.`, result)
      }),
  })

export const removeOf = <T extends Named>(
  things: Things<T>,
  about: string,
  example: readonly [line: string, meaning: string],
): Declaration =>
  command({
    name: 'remove',
    about,
    json: 'print {"removed": name}',
    examples: [example],
    args: { name: nameArgument },
    run: ({ name }, cli) =>
      cli.existing(async ({ call }) => {
        find(things, name, await things.all(call))
        await call(`${things.noun}s.remove`, { name })
        await cli.done(`${capital(things.noun)} ${name} removed.`, { removed: name })
      }),
  })

/** An argument that takes an id from a list. @param list the command that shows the list */
export const idArgument = (list: string) =>
  argument('<id>', `its id, as "${list}" prints it`, id.max(999_999_999_999_999))

type Listed = Pick<Numbered<unknown>, 'noun' | 'list'>

/** Turns the refusal of an unknown id into a sentence that names the list command. */
export async function known<T>(things: Listed, id: number, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AcuseError && error.code === 'not-found') throw unknownId(things, id)
    throw error
  }
}

export const unknownId = ({ noun, list }: Listed, id: number) =>
  couldNot(`There is no ${noun} ${id}; "${list}" lists them.`)

export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** Sets and removes headers; the others keep their order. */
export function changedHeaders<H extends { readonly name: string }>(
  present: readonly H[],
  given: readonly H[],
  gone: readonly string[],
  missing: (name: string) => string,
): readonly H[] {
  const lower = ({ name }: { readonly name: string }) => name.toLowerCase()
  const absent = gone.find((name) => present.every((header) => lower(header) !== name.toLowerCase()))
  const both = gone.find((name) => given.some((header) => lower(header) === name.toLowerCase()))
  if (both !== undefined)
    throw wrongUsage(`--remove-header: ${visible(both)} is also given; either give it or remove it.`)
  if (absent !== undefined) throw wrongUsage(`--remove-header: ${missing(visible(absent))}`)
  const removed = new Set(gone.map((name) => name.toLowerCase()))
  const byName = Map.groupBy(given, lower)
  const places = new Map(present.map((header, i) => [lower(header), i] as const).toReversed())
  const kept = present.flatMap((header, i): readonly H[] => {
    const instead = byName.get(lower(header))
    if (instead) return places.get(lower(header)) === i ? instead : []
    return removed.has(lower(header)) ? [] : [header]
  })
  return [...kept, ...given.filter((header) => !places.has(lower(header)))]
}
