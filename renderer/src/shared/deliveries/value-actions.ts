import type { Action } from '@/shared/actions/action.ts'
import { copyAction, onThis } from '@/shared/actions/made.ts'
import { narrowed, pathOf, quoted } from '@/shared/live/filter-edit.ts'
import { useRoute } from '@/shared/live/route.ts'
import { DELIVERY } from './actions.ts'
import { copy, replay } from './acts.ts'
import { useFilter } from './filter.ts'
import { openDelivery } from './open-delivery.ts'

/** A value in a row or a body, its place, and the condition that selects it. */
export interface ValueAt {
  readonly text?: string | undefined
  readonly pointer?: string | undefined
  /** Null where the filter language has no condition for it. */
  readonly term?: string | null
}

/** Adds a condition to Stream's filter and opens Stream. */
export function narrowStream(term: string): void {
  const { text, set } = useFilter.getState()
  set(narrowed(text, term))
  useRoute.getState().go('stream')
}

const SHOWN = 48
const short = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)

/** Uses of a condition, for a single value and in submenus of several. */
const USES = [
  { id: 'filter-by', title: 'on.filterBy', submenu: 'on.filterSub', sign: '' },
  { id: 'exclude', title: 'on.exclude', submenu: 'on.excludeSub', sign: '-' },
] as const

/** @param narrow adds the condition to another filter than Stream's */
export const filterActions = (term: string, narrow = narrowStream): readonly Action[] =>
  USES.map(({ id, title, sign }) =>
    onThis(
      id,
      (say) => say(title, { term: short(term) }),
      () => narrow(sign + term),
    ),
  )

/** The same actions for several values, in submenus: opened by key, a menu belongs to a row, not a cell. */
export const filterSubmenus = (terms: readonly string[], narrow = narrowStream): readonly Action[] =>
  USES.flatMap(({ id, submenu, sign }) =>
    terms.map((term) =>
      onThis(
        `${id} ${term}`,
        () => short(term),
        () => narrow(sign + term),
        { submenu },
      ),
    ),
  )

/** Maximum value length for a condition. */
const LONGEST_TERM = 200

/** The condition that selects a value of the body; null for lists, objects and long texts. */
export function termOf(
  pointer: string,
  { type, text, clipped }: { readonly type: string; readonly text: string; readonly clipped?: boolean },
): string | null {
  if (
    pointer === '' ||
    text === '' ||
    clipped ||
    text.length > LONGEST_TERM ||
    type === 'object' ||
    type === 'array'
  )
    return null
  // Quoted, a text that looks like a number stays a text.
  return `${pathOf(pointer)}:${type === 'string' ? quoted(text) : text}`
}

export function valueActions({ text, pointer, term }: ValueAt): readonly Action[] {
  return [
    ...(term ? filterActions(term) : []),
    ...(text === undefined ? [] : [copyAction('copy-value', 'on.copyValue', text)]),
    ...(pointer === undefined ? [] : [copyAction('copy-pointer', 'on.copyPointer', pointer)]),
  ]
}

/** Actions on the delivery behind a row of another list. @param elsewhere it is not the open delivery */
export const deliveryActions = (id: number, elsewhere: boolean): readonly Action[] => [
  ...(elsewhere
    ? [
        onThis(
          'delivery',
          (say) => say('on.delivery', { id }),
          () => void openDelivery(id, null),
        ),
      ]
    : []),
  onThis('replay-this', DELIVERY.replaySheet.title, () => replay('sheet', id)),
  onThis('curl-this', DELIVERY.copyCurl.title, () => copy('curl', id)),
]
