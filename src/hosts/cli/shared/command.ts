import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import type { z } from 'zod'
import { paramWords } from '#contract/param-words.ts'
import { type ExitCode, wrongUsage } from './failures.ts'
import { type Reached, type Running, reach, reachExisting, reachRunning } from './reach.ts'
import type { Terminal } from './terminal.ts'

/** Parses a text: a schema of the contract, or a function where the command line has its own syntax. */
type Reading<T> = z.ZodType<T> | ((text: string) => T)

/** An option or an argument as data; `T` is the type of its value. */
export interface Declared<T> {
  /** `<n>`, `[path]`, `<id...>`; empty: a switch. */
  readonly form: string
  readonly about: string
  readonly read?: (text: string) => unknown
  /** Whether it may be repeated; its value is then a list. */
  readonly repeats?: boolean
  /** Never set: the member carries the type `T`. */
  readonly value?: T
  readonly choices?: readonly string[]
  readonly preset?: { readonly value: unknown; readonly shown: string | undefined }
  readonly required?: boolean
  /** Path of the saved member that the option sets, such as `timeouts.connectMs`. */
  readonly at?: string
  /** Options beside which one of the two would do nothing; `json` and `data` too. */
  readonly not?: readonly string[]
  /** The option without which it would do nothing. */
  readonly needs?: string
  /** The only options that it goes with, besides --json and --data. */
  readonly only?: readonly string[]
}
export type Shape = Readonly<Record<string, Declared<unknown>>>
type ValueOf<D> = D extends Declared<infer T> ? T : never
/** Values of a command's options or arguments, by name. */
export type Values<S> = { readonly [K in keyof S]: ValueOf<S[K]> }

const asText = (text: string): string => text

/** An optional option; a schema gives its type, bounds, choices and error messages. */
export function option(form: string, about: string): Declared<string | undefined>
export function option<T>(form: string, about: string, reading: Reading<T>): Declared<T | undefined>
export function option(form: string, about: string, reading: Reading<unknown> = asText): Declared<unknown> {
  return { form, about, ...readerOf(reading) }
}

/** An option with a default. @param shown the default as help prints it */
export const preset = <T>(
  form: string,
  about: string,
  reading: Reading<T>,
  value: T,
  shown?: string,
): Declared<T> => ({ form, about, ...readerOf(reading), preset: { value, shown } })

/** A mandatory option. */
export const required = <T>(form: string, about: string, reading: Reading<T>): Declared<T> => ({
  form,
  about,
  required: true,
  ...readerOf(reading),
})

/** A repeatable option or argument. @param reading parses each text; it may return several values for a comma-separated text */
export const many = <T = string>(
  form: string,
  about: string,
  reading: Reading<T | readonly T[]> = asText as Reading<T>,
): Declared<readonly T[] | undefined> => ({ form, about, ...readerOf(reading), repeats: true })

/** A switch; `noUi` is written `--no-ui`. */
export const flag = (about: string): Declared<boolean> => ({ form: '', about })

/** An argument; `[name]` may be left out. */
export function argument(form: string, about: string): Declared<string>
export function argument<T>(form: string, about: string, reading: Reading<T>): Declared<T>
export function argument(form: string, about: string, reading: Reading<unknown> = asText): Declared<unknown> {
  return { form, about, ...readerOf(reading) }
}

type PathOf<T> = {
  [K in keyof T & string]: NonNullable<T[K]> extends readonly unknown[]
    ? K
    : NonNullable<T[K]> extends object
      ? K | `${K}.${keyof NonNullable<T[K]> & string}`
      : K
}[keyof T & string]

/** Declares options by the members that they set: the schema gives type, bounds, choices and messages; help names the default. */
export function membersOf<T extends object>(schema: z.ZodObject, defaults: object) {
  return <V = unknown>(
    at: PathOf<T>,
    form: string,
    about: string,
    reading?: Reading<V>,
  ): Declared<V | undefined> => {
    const usual = at.split('.').reduce<unknown>((value, name) => (value as Members)?.[name], defaults)
    const shown = typeof usual === 'boolean' ? (usual ? 'yes' : 'no') : usual
    const known = typeof shown === 'string' || typeof shown === 'number'
    const inContract = readerOf(memberOf(schema, at))
    return {
      form,
      at,
      about: known ? `${about} (${shown})` : about,
      ...inContract,
      ...(reading ? readerOf(reading) : {}),
    }
  }
}
type Members = Readonly<Record<string, unknown>> | undefined

function memberOf(schema: z.ZodType, at: string): z.ZodType {
  const found = at
    .split('.')
    .reduce<z.ZodType | undefined>(
      (one, name) => one && (unwrapped(one) as z.ZodObject).shape?.[name],
      schema,
    )
  if (!found) throw new Error(`The contract has no member ${at}.`)
  return found
}

/** @returns the given options as a change of the members that they set */
export function changeOf(shape: Shape, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const change: Record<string, unknown> = {}
  for (const [name, { at }] of Object.entries(shape)) {
    if (at === undefined || given[name] === undefined) continue
    const [first = '', second] = at.split('.')
    change[first] =
      second === undefined ? given[name] : { ...(change[first] as object), [second]: given[name] }
  }
  return change
}

/** Merges a change into a saved object, one level deep: in a member that is an object, keys not in the change stay. */
export const changed = <T extends object>(before: T, change: object): T => ({
  ...before,
  ...Object.fromEntries(
    Object.entries(change).map(([name, value]) => [
      name,
      isPlain(value) ? { ...(before as Readonly<Record<string, object>>)[name], ...value } : value,
    ]),
  ),
})
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Omits the members that are undefined. */
export const defined = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>
  }

export const unwrapped = (schema: z.ZodType): z.ZodType =>
  'innerType' in schema.def ? unwrapped(schema.def.innerType as z.ZodType) : schema

/** Parses a text by a schema. @throws InvalidArgumentError with the schema's message */
export function checkedText<T>(schema: z.ZodType<T>, text: unknown): T {
  const read = schema.safeParse(text, { error: paramWords })
  if (read.success) return read.data
  const message = read.error.issues[0]?.message ?? ''
  throw new InvalidArgumentError(`${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, '')}.`)
}

function readerOf(reading: Reading<unknown>): Pick<Declared<unknown>, 'read' | 'choices' | 'repeats'> {
  if (typeof reading === 'function') return { read: reading }
  const schema = unwrapped(reading)
  switch (schema.def.type) {
    case 'number':
      return { read: numberBy(schema as z.ZodNumber) }
    case 'boolean':
      return { read: yesNo }
    case 'enum':
      return { choices: (schema as z.ZodEnum).options.map(String) }
    case 'array':
      return { ...readerOf((schema as z.ZodArray<z.ZodType>).element), repeats: true }
    default:
      return { read: (text) => checkedText(reading, text) }
  }
}

function yesNo(text: string): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes'
  throw new InvalidArgumentError('Give yes or no.')
}

/** A bound from here on only keeps a number exact, so error messages do not name it. */
const LARGE = 1e15

function numberBy(schema: z.ZodNumber): (text: string) => number {
  const whole = schema.isInt
  const bound = Math.max(0, schema.minValue ?? 0)
  const least = schema.safeParse(bound).success ? bound : bound + 1
  const most = schema.maxValue ?? LARGE
  const form = whole ? /^\d{1,15}$/ : /^\d{1,9}(?:\.\d{1,9})?$/
  return (text) => {
    const value = form.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    const bounds = most >= LARGE ? `from ${least}` : `from ${least} to ${most}`
    throw new InvalidArgumentError(`Give a ${whole ? 'whole number' : 'number'} ${bounds}.`)
  }
}

export interface CommandContext {
  readonly terminal: Terminal
  /** Sets the exit code of a command that has done its work, such as 1 for findings. */
  exitWith(code: ExitCode): void
}

/** What a running command has: its terminal, access to the engine, and two forms of output. */
export interface Cli extends CommandContext {
  readonly json: boolean
  readonly folder: string | undefined
  /** Names of the command's own options that the user wrote: a value may be the default nevertheless. */
  readonly written: readonly string[]
  /** Runs `work` with the engine of a data folder, which must exist; for commands that only read. */
  existing<T>(work: (reached: Reached) => Promise<T>): Promise<T>
  /** As `existing`; creates the folder when it is missing. */
  made<T>(work: (reached: Reached) => Promise<T>): Promise<T>
  /** As `existing`; fails unless a host runs on the folder. */
  running<T>(work: (reached: Running) => Promise<T>): Promise<T>
  /** Prints the result: a line of JSON with `--json`, else the text. */
  print(value: unknown, text: string): Promise<void>
  /** Writes the sentence to stderr, and with `--json` the result to stdout. */
  done(sentence: string, value: unknown): Promise<void>
}

export interface Spec<A extends Shape = Shape, O extends Shape = Shape> {
  readonly name: string
  readonly about: string
  readonly args?: A
  readonly options?: O
  readonly json: string
  readonly examples: readonly (readonly [line: string, meaning: string])[]
  /** Printed below the examples. */
  readonly note?: string
  /** The option that names the data folder; default `--data`. Null: the command uses none. */
  readonly folder?: { readonly flag: string; readonly about: string } | null
  readonly commands?: readonly Declaration[]
  /** Further set-up of the commander command. */
  readonly also?: (command: Command) => void
  run(given: Values<A> & Values<O>, cli: Cli): unknown
}

/** Adds a command or a group of commands to its parent. */
export type Declaration = (parent: Command, context: CommandContext) => void

export const group =
  (name: string, about: string, commands: readonly Declaration[]): Declaration =>
  (parent, context) => {
    const made = parent.command(name).description(about)
    for (const add of commands) add(made, context)
  }

const EXAMPLES = new WeakMap<Command, Spec['examples']>()
/** @returns the examples of a command; none for a group */
export const examplesOf = (command: Command): Spec['examples'] => EXAMPLES.get(command) ?? []

const FOLDER = {
  flag: '--data',
  about: 'folder with the data (default: ACUSE_DATA, else the user data folder)',
}

/** Declares a command; help, validation and the reference page derive from the declaration. */
export const command =
  <A extends Shape = Record<never, never>, O extends Shape = Record<never, never>>(
    spec: Spec<A, O>,
  ): Declaration =>
  (parent, context) => {
    const { folder = FOLDER } = spec
    const args: Shape = spec.args ?? {}
    const options: Shape = spec.options ?? {}
    const made = parent.command(spec.name).description(spec.about)
    for (const declared of Object.values(args)) made.addArgument(argumentOf(declared))
    for (const [name, declared] of Object.entries(options)) made.addOption(optionOf(name, declared))
    if (folder) made.option(`${folder.flag} <dir>`, folder.about)
    made.option('--json', spec.json)
    const seen = new Set<string>()
    for (const { long } of made.options) made.on(`option:${long?.slice(2)}`, () => seen.add(camel(`${long}`)))
    EXAMPLES.set(made, spec.examples)
    const width = Math.max(...spec.examples.map(([line]) => line.length))
    const lines = spec.examples.map(([line, meaning]) => `  ${line.padEnd(width)}  ${meaning}`)
    made.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
    if (spec.note !== undefined) made.addHelpText('after', `\n${spec.note}`)
    made.action(async () => {
      refuseUnused(options, [...seen])
      const opts = made.opts()
      const values = Object.fromEntries([
        ...Object.keys(args).map((name, i) => [name, made.processedArgs[i]]),
        ...Object.keys(options).map((name) => [name, given(name, options, opts)]),
      ])
      await spec.run(
        values as Values<A> & Values<O>,
        cliFor(context, {
          folder: folder ? opts[camel(folder.flag)] : undefined,
          json: opts.json === true,
          written: [...seen].filter((name) => name in options),
        }),
      )
    })
    for (const add of spec.commands ?? []) add(made, context)
    spec.also?.(made)
  }

/** @throws CommandFailure for options that would do nothing beside the others, or contradict them: none is accepted and ignored */
function refuseUnused(options: Shape, written: readonly string[]): void {
  const flags = (names: readonly string[]) =>
    new Intl.ListFormat('en').format(names.map((name) => `--${kebab(name)}`))
  for (const name of written) {
    const { not = [], only } = options[name] ?? {}
    const other = [...not, negationOf(name)].find((one) => written.includes(one))
    if (other !== undefined) throw wrongUsage(`Give either ${flags([name])} or ${flags([other])}.`)
    const unused = only && written.filter((one) => one in options && ![name, ...only].includes(one))
    if (unused && unused.length > 0)
      throw wrongUsage(
        `${flags([name])} goes with ${only.length > 0 ? `${flags(only)} only` : 'no other option'}: leave out ${flags(unused)}.`,
      )
  }
  for (const name of written) {
    const { needs = name } = options[name] ?? {}
    if (!written.includes(needs))
      throw wrongUsage(`${flags([name])} needs ${flags([needs])}: give both, or leave out ${flags([name])}.`)
  }
}

const negationOf = (name: string): string => `no${name.charAt(0).toUpperCase()}${name.slice(1)}`
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const camel = (written: string): string =>
  written.replace(/^--/, '').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/** Reads an option's value; commander stores `--no-url` as the value false of `--url`. */
function given(name: string, options: Shape, opts: Readonly<Record<string, unknown>>): unknown {
  if (/^no[A-Z]/.test(name)) return opts[camel(kebab(name).slice(3))] === false
  if (options[name]?.form === '') return opts[name] === true
  if (opts[name] === false && negationOf(name) in options) return undefined
  return opts[name] === NULL ? null : opts[name]
}

function argumentOf(declared: Declared<unknown>): Argument {
  const made = new Argument(declared.form, declared.about).argParser(parserOf(declared) ?? asText)
  return declared.choices ? made.choices(declared.choices) : made
}

function optionOf(name: string, declared: Declared<unknown>): Option {
  const { form, about, choices, preset, required } = declared
  const made = new Option(`--${kebab(name)} ${form}`.trim(), about)
  const parse = parserOf(declared)
  if (parse) made.argParser(parse)
  if (choices) made.choices(choices)
  if (preset) made.default(preset.value, preset.shown)
  if (required) made.makeOptionMandatory()
  return made
}

/** Stands for null, which commander would replace by an empty text. */
const NULL = Symbol('null')

/** Parser that commander calls for each text of an option or argument. */
function parserOf({ read, repeats, preset }: Declared<unknown>) {
  if (!repeats) return read && ((text: string) => read(text) ?? NULL)
  return (text: string, before: unknown) => {
    const value = read ? read(text) : text
    return [...(before === preset?.value || !Array.isArray(before) ? [] : before), ...[value].flat()]
  }
}

function cliFor(
  { terminal, exitWith }: CommandContext,
  given: Pick<Cli, 'folder' | 'json' | 'written'>,
): Cli {
  const { folder, json } = given
  return {
    terminal,
    exitWith,
    ...given,
    existing: (work) => using(reachExisting(folder, terminal), work),
    made: (work) => using(reach(folder, terminal), work),
    running: (work) => using(reachRunning(folder), work),
    print: (value, text) => terminal.print(json ? `${JSON.stringify(value)}\n` : text),
    async done(sentence, value) {
      terminal.say(sentence)
      if (json) await terminal.print(`${JSON.stringify(value)}\n`)
    },
  }
}

async function using<R extends Reached, T>(
  reached: Promise<R>,
  work: (reached: R) => Promise<T>,
): Promise<T> {
  const open = await reached
  try {
    return await work(open)
  } finally {
    await open.close()
  }
}
