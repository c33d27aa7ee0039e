import { SORT_KEYS } from '#contract/values.ts'
import { type Action, defineActions, MOD, type Words } from '@/shared/actions/action.ts'
import { needsList, needsRow } from '@/shared/deliveries/actions.ts'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { list } from '@/shared/deliveries/list.ts'
import { focusFilter, focusHeadings } from '@/shared/live/focus.ts'
import { useChosen, useCursor, useFollow } from '@/shared/live/pointing.ts'
import { openAlone } from '@/shared/platform/web.ts'
import { useLayout, useTimelineLook } from './layout.ts'
import { hasHold, listView, moveBy, openRow, release, togglePause, useGoing } from './moving.ts'
import { sortAsked } from './use-columns.ts'

export const STREAM = defineActions({ group: 'list', on: 'stream' })({
  filter: { title: 'do.filter', keys: [['/']], menu: 'edit', run: focusFilter },
  clearFilter: {
    title: 'do.clearFilter',
    menu: 'edit',
    when: () => (useFilter.getState().text === '' ? 'noFilter' : null),
    run: () => useFilter.getState().set(''),
  },
  next: { title: 'do.next', keys: [['j']], listKeys: [['↓']], keyOnly: true, run: moveBy('j') },
  previous: { title: 'do.previous', keys: [['k']], listKeys: [['↑']], keyOnly: true, run: moveBy('k') },
  page: { title: 'do.page', listKeys: [['PgDn'], ['PgUp']], keyOnly: true, run: moveBy('PgDn') },
  newest: { title: 'do.newest', listKeys: [['Home']], when: needsList, run: moveBy('Home') },
  oldest: { title: 'do.oldest', listKeys: [['End']], when: needsList, run: moveBy('End') },
  open: {
    title: 'do.open',
    short: 'menu.open',
    keys: [['Enter']],
    parted: true,
    when: needsRow,
    run: openRow,
  },
  inWindow: {
    title: 'do.inWindow',
    keys: [[MOD, 'Enter']],
    when: needsRow,
    run: () => {
      const { cursor } = useCursor.getState()
      if (cursor?.id) openAlone(cursor.id)
    },
  },
  close: {
    title: 'do.close',
    short: 'menu.close',
    keys: [['Esc']],
    when: () => (hasHold() ? null : 'noneOpen'),
    run: release,
  },
  pause: { title: 'do.pause', keys: [['space']], parted: true, run: togglePause },
  follow: {
    title: 'do.follow',
    short: 'menu.follow',
    keys: [['f']],
    run: () => listView.now()?.toNewest(),
  },
  chooseRange: {
    title: 'do.chooseRange',
    listKeys: [['Shift', '↓']],
    hiddenKeys: ['↑', 'PgDn', 'PgUp', 'Home', 'End'].map((key) => ['Shift', key]),
    keyOnly: true,
    run: moveBy('Shift ↓'),
  },
  chooseAll: {
    title: 'do.chooseAll',
    listKeys: [[MOD, 'A']],
    menu: 'none',
    when: needsList,
    run: () => {
      useFollow.getState().stop(list.state().total)
      useChosen.getState().setAll()
    },
  },
  dock: {
    title: 'do.dock',
    keys: [['d']],
    run: () => {
      const { dock, setDock } = useLayout.getState()
      setDock(dock === 'right' ? 'bottom' : 'right')
    },
  },
  timeline: {
    title: 'do.timeline',
    keys: [['t']],
    menu: 'view',
    run: () => {
      const { open, keep } = useTimelineLook.getState()
      keep({ open: !open })
    },
  },
  goToTime: {
    title: 'do.goToTime',
    keys: [['Shift', 'G']],
    when: needsList,
    run: () => useGoing.setState({ asked: true }),
  },
  headings: {
    title: 'do.headings',
    short: 'menu.headings',
    keys: [['s']],
    when: needsList,
    run: focusHeadings,
  },
})

export const SORTS: readonly Action[] = SORT_KEYS.map((by) => {
  const column: Words =
    by === 'arrival'
      ? 'stream:sort.arrival'
      : by === 'timestamp'
        ? 'stream:sort.timestamp'
        : `stream:column.${by}`
  return {
    id: `sort-${by}`,
    group: 'list',
    on: 'stream',
    title: by === 'arrival' ? column : (say) => say('do.sortBy', { column: say(column) }),
    short: column,
    also: 'also.sortBy',
    menu: 'view',
    submenu: 'stream:sort.by',
    when: needsList,
    run: () => sortAsked(by),
  }
})
