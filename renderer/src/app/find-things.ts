import i18next from 'i18next'
import type { Refusal } from '#contract/errors.ts'
import { SECTIONS, type SectionName } from '@/features/settings/sections.ts'
import type { Action } from '@/shared/actions/action.ts'
import { onThis } from '@/shared/actions/made.ts'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { asValue } from '@/shared/live/filter-edit.ts'
import { useOver } from '@/shared/live/layers.ts'
import { useRoute } from '@/shared/live/route.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { GUIDE_PAGES } from './guide-pages.ts'

/** What the palette searches besides actions, in display order. */
export const THINGS = ['saved', 'setting', 'guide', 'document', 'captured'] as const
export type ThingGroup = (typeof THINGS)[number]

export interface Thing extends Findable {
  readonly id: string
  readonly group: ThingGroup
  readonly action: Action
  /** Shown beside the name: a filter's text, a document's party. */
  readonly detail: string
  /** The name equals the typed text. */
  readonly exact?: boolean
}

const thing = (
  group: ThingGroup,
  id: string,
  words: Findable & { readonly detail: string; readonly exact?: boolean },
  run: () => void,
): Thing => ({
  id: encodeURIComponent(`${group}-${id}`),
  group,
  ...words,
  action: onThis(id, () => words.label, run),
})

type Leaves = Readonly<Record<string, unknown>>
const isLeaves = (value: unknown): value is Leaves => typeof value === 'object' && value !== null
const leavesOf = (language: string, section: string): Leaves => {
  const texts: unknown = i18next.getResourceBundle(language, 'settings')
  const found = isLeaves(texts) ? texts[section] : null
  return isLeaves(found) ? found : {}
}

/** Settings texts whose section has another name. */
const PLACES: readonly (readonly [texts: string, section: SectionName])[] = [
  ...SECTIONS.map((name) => [name, name] as const),
  ['tls', 'receiver'],
]

/** Labels of fields: the texts beside a label hold its hint, values or errors. */
function settingsIn(here: string, there: string): readonly Thing[] {
  return PLACES.flatMap(([texts, section]) => {
    const [labels, others] = [leavesOf(here, texts), leavesOf(there, texts)]
    const errors = isLeaves(labels.errors) ? labels.errors : {}
    const title = String(leavesOf(here, section).title ?? '')
    return Object.entries(labels).flatMap(([key, label]) => {
      const field = `${key}Hint` in labels || `${key}Values` in labels || key in errors
      if (!field || typeof label !== 'string' || label.includes('{{')) return []
      const words = { label, detail: title, also: [title, others[key]].join(' ') }
      return thing('setting', `${texts}-${key}`, words, () => useRoute.getState().go('settings', section))
    })
  })
}

/** Things that the window finds without asking the host. */
export function thingsHere(here: 'en' | 'es'): readonly Thing[] {
  const there = here === 'en' ? 'es' : 'en'
  const [t, other] = [i18next.getFixedT(here, 'actions'), i18next.getFixedT(there, 'actions')]
  const saved = useSettings.getState().settings?.savedFilters ?? []
  return [
    ...saved.map(({ name, filter }) =>
      thing('saved', name, { label: name, detail: filter, also: filter }, () => {
        useFilter.getState().set(filter)
        useRoute.getState().go('stream')
      }),
    ),
    ...settingsIn(here, there),
    ...GUIDE_PAGES.map((page) => {
      const also = [t('guide.title'), other(`guide.page.${page}`), other('guide.title')].join(' ')
      const words = { label: t(`guide.page.${page}`), detail: t('guide.title'), also }
      return thing('guide', page, words, () => useOver.getState().show('guide', page))
    }),
  ]
}

/** Debounce of typing. */
const TYPING_MS = 150
const SHORTEST = 2
const MOST = 6

async function documentsOf(typed: string): Promise<readonly Thing[]> {
  const value = asValue(typed)
  const query = `number:${value} or party:${value} or doc:${value}`
  const sort = { by: 'last', descending: true } as const
  const { entries } = await api.call('documents.page', { query, sort, from: 0, limit: MOST })
  return entries.map(({ key, number, documentId, party }) => {
    const exact = [number, documentId].some((one) => one?.toLowerCase() === typed.toLowerCase())
    const words = { label: number ?? documentId, detail: party ?? '', also: documentId, exact }
    return thing('document', key, words, () => useRoute.getState().go('documents', encodeURIComponent(key)))
  })
}

async function deliveriesOf(typed: string): Promise<readonly Thing[]> {
  const id = Number(/^#?([1-9]\d{0,14})$/.exec(typed)?.[1] ?? 0)
  const value = asValue(typed)
  const [byId, byNumber] = await Promise.all([
    id > 0 ? api.call('deliveries.rows', { ids: [id] }) : null,
    typed.startsWith('#')
      ? null
      : api.call('deliveries.page', {
          filter: `number:${value} or doc:${value}`,
          from: 'newest',
          limit: MOST,
        }),
  ])
  const rows = [...(byId?.rows ?? []), ...(byNumber?.rows.toReversed() ?? [])]
  return [...new Map(rows.map((row) => [row.id, row])).values()].slice(0, MOST).map((row) => {
    const label = [`#${row.id}`, row.number].filter(Boolean).join(' · ')
    const words = { label, detail: row.event ?? '', also: '', exact: row.id === id }
    return thing('captured', String(row.id), words, () => void openDelivery(row.id, null))
  })
}

const NOTHING: { readonly things: readonly Thing[]; readonly refusal: Refusal | null } = {
  things: [],
  refusal: null,
}

/** Documents and deliveries found by the host. Another keystroke cancels the query; a refusal of one kind leaves the other. */
export function useStoredThings(text: string) {
  const typed = text.trim()
  const asks = plain(typed).length >= SHORTEST || /^#?\d+$/.test(typed)
  const { data } = useAnswer(asks ? typed : null, async (signal) => {
    await new Promise((resolve) => setTimeout(resolve, TYPING_MS))
    signal.throwIfAborted()
    const found = await Promise.allSettled([documentsOf(typed), deliveriesOf(typed)])
    const things = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    const refused = found.find((one) => one.status === 'rejected')
    return { things, refusal: refused ? refusalOf(refused.reason) : null }
  })
  return { ...(data ?? NOTHING), searching: asks && data === null }
}

export interface Findable {
  readonly label: string
  /** Synonyms, including the name in the other language. */
  readonly also: string
}

/** Normalizes text for comparison: lower case, no accents, other characters as spaces. */
export const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Whether the word contains the letters in this order and begins with the first one. */
function inOrder(letters: string, word: string): boolean {
  if (letters.length < 2 || letters[0] !== word[0]) return false
  let at = 0
  for (const letter of word) if (letter === letters[at]) at += 1
  return at === letters.length
}

/** How well a typed word matches the best of these: a prefix scores highest, then a substring, then letters in order; 0 for no match. */
function closeness(typed: string, words: readonly string[]): number {
  let best = 0
  for (const word of words) {
    if (word === typed) return 5
    if (word.startsWith(typed)) best = Math.max(best, 4)
    else if (typed.length > 1 && word.includes(typed)) best = Math.max(best, 2)
    else if (inOrder(typed, word)) best = Math.max(best, 1)
  }
  return best
}

/** Score of an item for the typed text; 0 when any typed word has no match. The label counts twice; its initials count as a word. */
export function scoreOf(typed: string, { label, also }: Findable): number {
  const named = plain(label).split(' ')
  const initials = named.map((word) => word[0] ?? '').join('')
  const others = plain(also).split(' ')
  let score = 0
  for (const word of plain(typed).split(' ')) {
    const fits = Math.max(
      2 * closeness(word, named),
      word.length > 1 && initials.startsWith(word) ? 5 : 0,
      closeness(word, others),
    )
    if (fits === 0) return 0
    score += fits
  }
  return score
}

/** Items that match the typed text, best first; ties by last use, then in the given order. All items when the text is empty. */
export function found<T extends Findable & { readonly id: string }>(
  typed: string,
  all: readonly T[],
  recent: readonly string[],
): readonly T[] {
  if (plain(typed) === '') return all
  const since = ({ id }: T) => (recent.includes(id) ? recent.indexOf(id) : recent.length)
  return all
    .map((item, at) => ({ item, at, score: scoreOf(typed, item) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || since(a.item) - since(b.item) || a.at - b.at)
    .map(({ item }) => item)
}
