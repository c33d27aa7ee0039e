import { type Action, createShown, defineActions, MOD, type When } from '@/shared/actions/action.ts'
import { inList } from '@/shared/live/focus.ts'
import { type CopyAs, useExporting } from '@/shared/live/layers.ts'
import { useChosen } from '@/shared/live/pointing.ts'
import { aloneId, useRoute } from '@/shared/live/route.ts'
import { annotate, compare, copy, remove, removeShown, replay, subject, togglePin } from './acts.ts'
import { list } from './list.ts'

export const rawBody = createShown<{ askPlace(): void }>()

export const needsRow: When = () => (subject().delivery === null ? 'noRow' : null)
export const needsList: When = () => (list.state().total === 0 ? 'noDeliveries' : null)
/** For sending or copying, for example: a multiple selection is fine too. */
const needsSome: When = () => {
  const { ids, everything } = subject()
  return everything || ids.length > 0 ? null : needsRow()
}
const needsPair: When = () => {
  const { all, ids } = useChosen.getState()
  return !all && ids.size === 2 ? null : needsRow()
}

/** Actions on a multiple selection; in a single-delivery window they act on its delivery. */
const SOME = { alone: true, when: needsSome } as const
const copying = (as: CopyAs, title: Action['title']) =>
  ({ title, also: 'also.copying', ...SOME, run: () => copy(as) }) as const

const PLACE = defineActions({ group: 'delivery' })({
  goToPlace: {
    title: 'do.goToPlace',
    short: 'menu.goToPlace',
    keys: [[MOD, 'G']],
    // The Raw tab takes the key while it has the focus.
    holds: () => false,
    alone: true,
    keyOnly: true,
    run: () => rawBody.now()?.askPlace(),
  },
})

const OTHERS = defineActions({ group: 'delivery', on: 'stream' })({
  pin: { title: 'do.pin', keys: [['p']], alone: true, when: needsRow, run: togglePin },
  tags: {
    title: 'do.tags',
    also: 'also.tags',
    keys: [['l']],
    ...SOME,
    run: () => annotate('tags'),
  },
  note: {
    title: 'do.note',
    also: 'also.note',
    keys: [['m']],
    ...SOME,
    run: () => annotate('note'),
  },
  delete: {
    title: 'do.delete',
    short: 'menu.delete',
    listKeys: [['Del']],
    hiddenKeys: [['Backspace']],
    when: needsSome,
    run: () => remove(),
  },
  deleteShown: {
    title: 'do.deleteShown',
    listKeys: [['Shift', 'Del']],
    hiddenKeys: [['Shift', 'Backspace']],
    when: needsList,
    run: removeShown,
  },
  compare: {
    // A single-delivery window has no selection of two.
    title: (say) => say(aloneId(useRoute.getState()) === null ? 'do.compare' : 'stream:compareBefore'),
    short: 'menu.compare',
    keys: [['c']],
    alone: true,
    when: needsPair,
    run: () => compare(),
  },
  replay: {
    title: 'do.replay',
    short: 'menu.replay',
    keys: [['r']],
    ...SOME,
    parted: true,
    run: () => replay('now'),
  },
  replaySheet: {
    title: 'do.replaySheet',
    short: 'menu.replaySheet',
    keys: [['Shift', 'R']],
    ...SOME,
    run: () => replay('sheet'),
  },
  copyText: {
    ...copying('text', 'do.copyText'),
    menu: 'none',
    listKeys: [[MOD, 'C']],
    // With selected text, copying takes that text.
    holds: (target) => inList(target) && getSelection()?.isCollapsed !== false,
  },
  copyJson: { ...copying('json', 'do.copyJson'), keys: [['y']], parted: true },
  copyNdjson: { ...copying('ndjson', 'do.copyNdjson'), menu: 'none' },
  copyCurl: { ...copying('curl', 'do.copyCurl'), keys: [['Shift', 'Y']] },
  copyCurlSecrets: { ...copying('curl-secrets', 'do.copyCurlSecrets'), menu: 'none' },
})

const FILES = defineActions({ group: 'service' })({
  export: {
    title: 'do.export',
    short: 'stream:chosen.export',
    also: 'also.export',
    keys: [['e']],
    alone: true,
    parted: true,
    run: () => useExporting.getState().open('list'),
  },
})

export const DELIVERY = { ...PLACE, ...OTHERS, ...FILES }
