import { z } from 'zod'

/** A command of the engine: its parameters and its result. Its name is its key in COMMANDS. */
interface Definition<P extends z.ZodType, R extends z.ZodType> {
  /** What it does and when it refuses, for the reference and for tools. */
  readonly about: string
  /** Hosts validate with it. Unknown members are refused: a typo must not silently do nothing. */
  readonly params: P
  /** The contract suite holds every host's results against it. */
  readonly result: R
}

/** Declares a command once: types, validation, contract tests and reference pages follow from it. */
export const defineCommand = <P extends z.ZodType, R extends z.ZodType>(
  command: Definition<P, R>,
): Definition<P, R> => command

/** A value that crossed a boundary: neither side changes it. */
export type Sent<T> = T extends object ? { readonly [K in keyof T]: Sent<T[K]> } : T
/** What a schema accepts, as both sides see it. */
export type Of<S extends z.ZodType> = Sent<z.output<S>>

/** The same members, none of them needed. */
export const partial = <S extends z.ZodRawShape>(shape: S): { [K in keyof S]: z.ZodExactOptional<S[K]> } =>
  Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, z.exactOptional(schema)])) as {
    [K in keyof S]: z.ZodExactOptional<S[K]>
  }
