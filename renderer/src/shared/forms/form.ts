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

/** A field of a form, and the error that stands at it. */
export type Place<E> = readonly [field: string, error: E]
/**
 * The place of each path of the parameters, such as `timeouts.*`. `*` stands for one step of the path, in the field too. Of several errors
 * of a field the first stands.
 */
export type Places<E> = Readonly<Record<string, Place<E>>>

/** A form that saves by one command: the command's schema says what is wrong, so the form has no rules of its own. */
export interface Form<C extends CommandName, D extends object, E extends string> {
  readonly command: C
  readonly first: D
  readonly params: (draft: D) => Typed<Params<C>>
  readonly places: (draft: D) => Places<E>
  /** Errors that the schema cannot know, such as a name that is taken. They go before those of the schema. */
  readonly own?: (draft: D) => Iterable<Place<E>>
  /** The place of a refusal of the host, where it is not simply that of its path. */
  readonly refused?: (refusal: Refusal, place: Place<E> | undefined) => Place<E> | undefined
}

export interface Judged<C extends CommandName, E> {
  readonly wrong: ReadonlyMap<string, E>
  /** Undefined while something is wrong. */
  readonly params: Params<C> | undefined
  /** What the schema refuses at a path that has no place; null: nothing. */
  readonly refusal: Refusal | null
}

function placeAt<E>(path: string, places: Places<E>): Place<E> | undefined {
  const steps = path.split('.')
  for (const [pattern, [field, error]] of Object.entries(places)) {
    const parts = pattern.split('.')
    if (parts.length !== steps.length || parts.some((part, i) => part !== '*' && part !== steps[i])) continue
    return [field.replace('*', steps[parts.indexOf('*')] ?? ''), error]
  }
  return undefined
}

/** Holds a draft against the schema of the form's command. */
export function judge<C extends CommandName, D extends object, E extends string>(
  form: Form<C, D, E>,
  draft: D,
): Judged<C, E> {
  const wrong = new Map(form.own?.(draft))
  const parsed = COMMANDS[form.command].params.safeParse(form.params(draft))
  const places = form.places(draft)
  let refusal: Refusal | null = null
  for (const issue of parsed.error?.issues ?? []) {
    const path = issue.path.join('.')
    const place = placeAt(path, places)
    if (place && !wrong.has(place[0])) wrong.set(...place)
    if (!place) refusal ??= { code: 'bad-params', message: issue.message, details: { path } }
  }
  return { wrong, params: wrong.size === 0 ? parsed.data : undefined, refusal }
}

/** The place that a refusal of the host is about; undefined: the whole form. */
export function placeOf<C extends CommandName, D extends object, E extends string>(
  form: Form<C, D, E>,
  draft: D,
  refusal: Refusal | null,
): Place<E> | undefined {
  if (!refusal) return undefined
  const place = placeAt(String(refusal.details?.path ?? ''), form.places(draft))
  return form.refused ? form.refused(refusal, place) : place
}
