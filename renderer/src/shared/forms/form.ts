import { COMMANDS, type CommandName, type Params } from '#contract/commands.ts'
import type { Refusal } from '#contract/errors.ts'

/** Parameters as the user typed them: a number may be missing, and a text may be wrong. */
export type Typed<T> = T extends number
  ? T | null
  : T extends readonly (infer U)[]
    ? readonly Typed<U>[]
    : T extends object
      ? { readonly [K in keyof T]: Typed<T[K]> }
      : T

/** The fields of a draft: `name`, `timeouts.connectMs`. */
export type FieldName<D> = {
  [K in keyof D & string]: D[K] extends readonly unknown[] | null
    ? K
    : D[K] extends object
      ? K | `${K}.${FieldName<D[K]>}`
      : K
}[keyof D & string]

export type Place<E> = readonly [field: string, error: E]

/** A form that saves by one command: the command's schema says what is wrong, so the form has no rules of its own. */
export interface Form<C extends CommandName, D extends object, E extends string = string> {
  readonly command: C
  readonly first: D
  readonly params: (draft: D) => Typed<Params<C>>
  /** Where a path of the parameters has no field of its name, or an error has another name than its field. */
  readonly places?: (draft: D) => Readonly<Record<string, Place<E>>>
  /** Errors that the schema cannot know, such as a name that is taken. They go before those of the schema. */
  readonly own?: (draft: D) => Iterable<Place<E>>
  /** The place of a refusal of the host, where it is not simply that of its path. */
  readonly refused?: (refusal: Refusal, field: string | undefined) => Place<E> | undefined
}

export interface Judged<C extends CommandName> {
  readonly wrong: ReadonlyMap<string, string>
  /** Undefined while something is wrong. */
  readonly params: Params<C> | undefined
  /** What the schema refuses at a path that has no field; null: nothing. */
  readonly refusal: Refusal | null
}

const isBranch = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const valueAt = (draft: unknown, field: string): unknown =>
  field.split('.').reduce((at, step) => (isBranch(at) ? at[step] : undefined), draft)

/** What the words have for a field: under its whole name, under its last part, or for all of its first part. */
export function wordsOf(words: unknown, field: string, suffix = ''): unknown {
  if (!isBranch(words)) return undefined
  const [first = '', ...rest] = field.split('.')
  return words[field + suffix] ?? words[(rest.at(-1) ?? first) + suffix] ?? words[first + suffix]
}

export function withValue<D extends object>(draft: D, field: string, value: unknown): D {
  const [step = '', ...rest] = field.split('.')
  const inner = valueAt(draft, step)
  return {
    ...draft,
    [step]: rest.length === 0 ? value : withValue(isBranch(inner) ? inner : {}, rest.join('.'), value),
  }
}

/** The members of parameters that were not left empty. */
export const given = <D extends object>(draft: D) =>
  Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== null && value !== ''))

/** The field that a path of the parameters is about, and its error: of `remove.2` the field is `remove`. */
function placeAt<C extends CommandName, D extends object, E extends string>(
  path: string,
  form: Form<C, D, E>,
  draft: D,
): Place<string> | undefined {
  const header = /(?:^|\.)headers\.(\d+)\.(name|value|0|1)$/.exec(path)
  if (header) {
    const part = header[2] === 'name' || header[2] === '0' ? 'name' : 'value'
    return [`header-${part}-${header[1]}`, part === 'name' ? 'headerName' : 'headerValue']
  }
  const steps = path.split('.')
  const places = form.places?.(draft)
  for (let n = steps.length; n > 0; n--) {
    const field = steps.slice(0, n).join('.')
    const place = places?.[field]
    if (place) return place
    if (valueAt(draft, field) !== undefined) return [field, field]
  }
  return undefined
}

interface Facets {
  readonly def: { readonly type: string; readonly innerType?: Facets }
  readonly shape?: Readonly<Record<string, Facets>>
  readonly isInt?: boolean
  readonly minValue?: number | null
  readonly maxValue?: number | null
}
const bare = (schema: Facets): Facets => (schema.def.innerType ? bare(schema.def.innerType) : schema)

/** The bounds that a command's schema has for a number; undefined for anything else. */
export function boundsOf(command: CommandName, field: string) {
  let at: Facets | undefined = COMMANDS[command].params
  for (const step of field.split('.')) at = at && bare(at).shape?.[step]
  const { def, isInt = false, minValue, maxValue } = at ? bare(at) : { def: { type: '' } }
  if (def.type !== 'number') return undefined
  return { whole: isInt, least: minValue ?? 0, most: maxValue ?? Number.MAX_SAFE_INTEGER }
}

/** Holds a draft against the schema of the form's command. */
export function judge<C extends CommandName, D extends object, E extends string>(
  form: Form<C, D, E>,
  draft: D,
): Judged<C> {
  const wrong = new Map<string, string>(form.own?.(draft))
  const parsed = COMMANDS[form.command].params.safeParse(form.params(draft))
  let refusal: Refusal | null = null
  for (const issue of parsed.error?.issues ?? []) {
    const path = issue.path.join('.')
    const place = placeAt(path, form, draft)
    if (place && !wrong.has(place[0])) wrong.set(...place)
    if (!place) refusal ??= { code: 'bad-params', message: issue.message, details: { path } }
  }
  return { wrong, params: wrong.size === 0 ? parsed.data : undefined, refusal }
}

/** The place that a refusal of the host is about; undefined: the whole form. What is in conflict is a name that is taken. */
export function placeOf<C extends CommandName, D extends object, E extends string>(
  form: Form<C, D, E>,
  draft: D,
  refusal: Refusal | null,
): Place<string> | undefined {
  if (!refusal) return undefined
  const place = placeAt(String(refusal.details?.path ?? ''), form, draft)
  const own = form.refused?.(refusal, place?.[0])
  return own ?? (place && refusal.code === 'conflict' ? [place[0], `${place[0]}Taken`] : place)
}
