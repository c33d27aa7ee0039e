import type { Kind } from '#catalog/kinds.ts'
import { PLUGIN_EVENT_TYPES, type PluginEventType } from '#catalog/service.ts'
import { nearest } from '#core/filter/nearest.ts'
import { KIND_NAMES, KIND_WILDCARDS, kindsOf } from '#core/filter/values.ts'
import { wrongUsage } from './failures.ts'
import { visible } from './visible.ts'

const ALL = 'all'

/**
 * Reads a list of kinds as `kind:` of the filter does: names and wildcards with commas between them, or "all".
 * @returns each kind once, in the order of the catalogue
 * @throws CommandFailure naming what means none of the 28 kinds, and what it may have been
 */
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

/** The other way round, as short as it goes: "all 28 kinds", or names and wildcards. */
export function kindsText(kinds: readonly Kind[]): string {
  if (kinds.length === KIND_NAMES.length) return `all ${kinds.length} kinds`
  if (kinds.length === 0) return 'none'
  const families = new Map<string, Kind[]>()
  for (const kind of kinds) {
    const wildcard = `${kind.split('.')[0]}.*`
    families.set(wildcard, [...(families.get(wildcard) ?? []), kind])
  }
  return [...families]
    .map(([wildcard, some]) => (some.length === kindsOf(wildcard).length ? wildcard : some.join(', ')))
    .join(', ')
}

/**
 * Reads a list of plugin event types, or "all".
 * @throws CommandFailure naming the one that there is not
 */
export function eventTypesFrom(text: string): readonly PluginEventType[] {
  const wanted = words('--event-types', text)
  for (const word of wanted)
    if (word !== ALL && !PLUGIN_EVENT_TYPES.some((type) => type === word))
      throw unknown('--event-types', word, 'no plugin event type', [ALL, ...PLUGIN_EVENT_TYPES])
  return PLUGIN_EVENT_TYPES.filter((type) => wanted.includes(ALL) || wanted.includes(type))
}

function words(option: string, text: string): readonly string[] {
  const found = text
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '')
  if (found.length === 0) throw wrongUsage(`${option} takes names with commas between them, or "${ALL}".`)
  return found
}

function unknown(option: string, word: string, what: string, names: readonly string[]) {
  const [meant] = nearest(word, names)
  const hint =
    meant === undefined
      ? option === '--kinds'
        ? ' "acuse trigger --list" shows them.'
        : ` There are ${PLUGIN_EVENT_TYPES.join(', ')}.`
      : ` Did you mean ${meant}?`
  return wrongUsage(`${option}: "${visible(word)}" is ${what}.${hint}`)
}
