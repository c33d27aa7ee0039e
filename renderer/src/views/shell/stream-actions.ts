import { SORT_KEYS } from '#contract/order.ts'
import type { CopyAs } from '@/stores/copying.ts'
import { useFilter } from '@/stores/filter.ts'
import { copy } from '@/views/stream/choosing.ts'
import { sortAsked } from '@/views/stream/column-sort.ts'
import { focusFilter } from '@/views/stream/focus.ts'
import { type Action, type ActionGroup, type Keys, MOD } from './action.ts'
import { inStream, pressInStream } from './do-in-stream.ts'
import {
  type Hindered,
  needsFilter,
  needsList,
  needsOpen,
  needsPair,
  needsRow,
  needsRowOrChosen,
} from './hindrances.ts'

const list = (
  id:
    | 'next'
    | 'previous'
    | 'page'
    | 'newest'
    | 'oldest'
    | 'open'
    | 'inWindow'
    | 'close'
    | 'filter'
    | 'clearFilter'
    | 'pause'
    | 'follow'
    | 'chooseRange'
    | 'chooseAll'
    | 'dock'
    | 'timeline'
    | 'headings'
    | 'goToTime'
    | 'goToPlace'
    | 'pin'
    | 'tags'
    | 'note'
    | 'delete'
    | 'deleteShown'
    | 'compare'
    | 'replay'
    | 'replaySheet',
  keys: Keys,
  run?: () => void,
  hindered?: Hindered,
  group: ActionGroup = 'list',
): Action => ({
  id,
  group,
  label: (say) => say(`do.${id}`),
  keys,
  ...(run ? { run } : {}),
  ...(hindered ? { hindered } : {}),
})

const annotating = (id: 'tags' | 'note', key: string): Action => ({
  ...list(id, [[key]], pressInStream(key), needsRowOrChosen, 'delivery'),
  also: (say) => say(`also.${id}`),
})

const LIST: readonly Action[] = [
  list('filter', [['/']], inStream(focusFilter)),
  list(
    'clearFilter',
    [],
    inStream(() => useFilter.getState().set('')),
    needsFilter,
  ),
  list('next', [['j'], ['↓']]),
  list('previous', [['k'], ['↑']]),
  list('page', [['PgDn'], ['PgUp']]),
  list('newest', [['Home']], pressInStream('Home'), needsList),
  list('oldest', [['End']], pressInStream('End'), needsList),
  list('open', [['Enter']], pressInStream('Enter'), needsRow),
  list('inWindow', [[MOD, 'Enter']], pressInStream('Enter', { ctrlKey: true }), needsRow),
  list('close', [['Esc']], pressInStream('Escape'), needsOpen),
  list('pause', [['space']], pressInStream(' ')),
  list('follow', [['f']], pressInStream('f')),
  list('chooseRange', [['Shift', '↓']]),
  list('chooseAll', [[MOD, 'A']], pressInStream('a', { ctrlKey: true }), needsList),
  list('dock', [['d']], pressInStream('d')),
  list('timeline', [['t']], pressInStream('t')),
  list('goToTime', [['Shift', 'G']], pressInStream('G'), needsList),
  list('headings', [['s']], pressInStream('s'), needsList),
  list('goToPlace', [[MOD, 'G']], undefined, undefined, 'delivery'),
  list('pin', [['p']], pressInStream('p'), needsRow, 'delivery'),
  annotating('tags', 'l'),
  annotating('note', 'm'),
  list('delete', [['Del']], pressInStream('Delete'), needsRowOrChosen, 'delivery'),
  list('deleteShown', [['Shift', 'Del']], pressInStream('Delete', { shiftKey: true }), needsList, 'delivery'),
  list('compare', [['c']], pressInStream('c'), needsPair, 'delivery'),
  list('replay', [['r']], pressInStream('r'), needsRowOrChosen, 'delivery'),
  list('replaySheet', [['Shift', 'R']], pressInStream('R'), needsRowOrChosen, 'delivery'),
]

const copying = (
  id: 'copyText' | 'copyJson' | 'copyNdjson' | 'copyCurl' | 'copyCurlSecrets',
  as: CopyAs,
  keys: Keys = [],
): Action => ({
  id,
  group: 'delivery',
  label: (say) => say(`do.${id}`),
  also: (say) => say('also.copying'),
  keys,
  run: inStream(() => copy(as)),
  hindered: needsRowOrChosen,
})
const COPIES: readonly Action[] = [
  copying('copyText', 'text', [[MOD, 'C']]),
  copying('copyJson', 'json', [['y']]),
  copying('copyNdjson', 'ndjson'),
  copying('copyCurl', 'curl', [['Shift', 'Y']]),
  copying('copyCurlSecrets', 'curl-secrets'),
]

const SORTS: readonly Action[] = SORT_KEYS.map((by) => ({
  id: `sort-${by}`,
  group: 'list',
  label: (say) =>
    by === 'arrival'
      ? say('stream:sort.arrival')
      : say('do.sortBy', {
          column: by === 'timestamp' ? say('stream:sort.timestamp') : say(`stream:column.${by}`),
        }),
  also: (say) => say('also.sortBy'),
  run: inStream(() => sortAsked(by)),
  hindered: needsList,
}))

/** What is done with the list of deliveries, and with those pointed at or chosen in it. */
export const STREAM_ACTIONS: readonly Action[] = [...LIST, ...COPIES, ...SORTS]
