import type { TFunction } from 'i18next'
import { SORT_KEYS } from '#contract/order.ts'
import type { Settings } from '#contract/settings.ts'
import { api } from '@/live/api.ts'
import { openSameAgain } from '@/live/new-window.ts'
import { ROUTES } from '@/routes.tsx'
import { useConnect } from '@/stores/connect.ts'
import type { CopyAs } from '@/stores/copying.ts'
import { useFilter } from '@/stores/filter.ts'
import { useOver } from '@/stores/over.ts'
import { startReceiver } from '@/stores/receiver.ts'
import { useRoute } from '@/stores/route.ts'
import { useSettings } from '@/stores/settings.ts'
import { undoLatest } from '@/stores/undo.ts'
import { PARTS, type PartName } from '@/views/sandbox/sections.ts'
import { SECTIONS } from '@/views/settings/sections.ts'
import { copy } from '@/views/stream/choosing.ts'
import { sortAsked } from '@/views/stream/column-sort.ts'
import { focusFilter } from '@/views/stream/focus.ts'
import { inStream, pressInStream } from './do-in-stream.ts'
import {
  type Hindered,
  needsConnection,
  needsFilter,
  needsList,
  needsListening,
  needsOpen,
  needsOther,
  needsPair,
  needsRemoval,
  needsRow,
  needsRowOrChosen,
  needsStopped,
} from './hindrances.ts'

/** Texts of an action: its own, and the names that screens give their parts. */
export const ACTION_TEXTS = ['actions', 'shell', 'settings', 'sandbox', 'stream'] as const
export type Say = TFunction<typeof ACTION_TEXTS>
/** Alternatives, each a sequence; `space` is written out in the language of the window. */
export type Keys = readonly (readonly string[])[]
export type ActionGroup = 'list' | 'delivery' | 'service' | 'go' | 'receiver' | 'look' | 'help'

/** One thing that can be done in the window: a line of the palette, and of the keyboard help when it has keys. */
export interface Action {
  readonly id: string
  readonly group: ActionGroup
  readonly label: (say: Say) => string
  /** More words that find it. */
  readonly also?: (say: Say) => string
  readonly keys?: Keys
  /** Keys of the desktop app's menu, which browsers keep for themselves. */
  readonly desktop?: Keys
  /** Without it, there are only the keys: what a held key does is nothing to choose from a list. */
  readonly run?: () => void
  /** Why it cannot be done now. */
  readonly hindered?: Hindered
}

const MOD = /mac/i.test(globalThis.navigator?.platform ?? '') ? '⌘' : 'Ctrl'

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

const SCREENS: readonly Action[] = ROUTES.map(({ name, key }, at) => ({
  id: `go-${name}`,
  group: 'go',
  label: (say) => say('do.goTo', { screen: say(`shell:${name}`) }),
  keys: [[String(at + 1)], ['g', key]],
  desktop: [[MOD, name === 'settings' ? ',' : String(at + 1)]],
  run: () => useRoute.getState().go(name),
}))

const SANDBOX_PARTS: readonly PartName[] = Object.values(PARTS).flat()
const SECTIONS_OF: readonly Action[] = [
  ...SANDBOX_PARTS.map(
    (name): Action => ({
      id: `sandbox-${name}`,
      group: 'go',
      label: (say) =>
        say('do.section', { screen: say('shell:sandbox'), section: say(`sandbox:nav.${name}`) }),
      run: () => useRoute.getState().go('sandbox', name),
    }),
  ),
  ...SECTIONS.map(
    (name): Action => ({
      id: `settings-${name}`,
      group: 'go',
      label: (say) =>
        say('do.section', { screen: say('shell:settings'), section: say(`settings:${name}.title`) }),
      run: () => useRoute.getState().go('settings', name),
    }),
  ),
]

const SERVICE: readonly Action[] = [
  {
    id: 'emit',
    group: 'service',
    label: (say) => say('do.emit'),
    also: (say) => say('also.emit'),
    run: () => useRoute.getState().go('sandbox', 'emit'),
  },
  {
    id: 'new-sweep',
    group: 'service',
    label: (say) => say('do.newSweep'),
    also: (say) => say('also.newSweep'),
    run: () => useRoute.getState().go('reconcile'),
    hindered: needsConnection,
  },
  {
    id: 'file-check',
    group: 'service',
    label: (say) => say('do.fileCheck'),
    keys: [['v']],
    also: (say) => say('also.fileCheck'),
    run: () => useOver.getState().show('file-check'),
  },
]

// The host cannot be reached: the banner of the lost connection already says so.
const quietly = (asked: Promise<unknown>): void => void asked.catch(() => undefined)

const RECEIVER: readonly Action[] = [
  {
    id: 'start-receiver',
    group: 'receiver',
    label: (say) => say('do.startReceiver'),
    also: (say) => say('also.receiver'),
    run: () => startReceiver({}),
    hindered: needsStopped,
  },
  {
    id: 'stop-receiver',
    group: 'receiver',
    label: (say) => say('do.stopReceiver'),
    also: (say) => say('also.receiver'),
    run: () => quietly(api.call('receiver.stop', {})),
    hindered: needsListening,
  },
  {
    id: 'copy-address',
    group: 'receiver',
    label: (say) => say('do.copyAddress'),
    desktop: [[MOD, 'Shift', 'C']],
    also: (say) => say('also.copyAddress'),
    // The button in the status bar does it, and so shows and says that it is done.
    run: () => document.querySelector<HTMLElement>('[data-address] button')?.click(),
    hindered: needsListening,
  },
  {
    id: 'connect',
    group: 'receiver',
    label: (say) => say('do.connect'),
    keys: [['a']],
    also: (say) => say('also.connect'),
    run: () => useConnect.getState().open(),
  },
]

const appear = (appearance: Partial<Settings['appearance']>) => () =>
  quietly(useSettings.getState().update({ appearance }))

const LOOK: readonly Action[] = [
  ...(['light', 'dark', 'system'] as const).map(
    (theme): Action => ({
      id: `theme-${theme}`,
      group: 'look',
      label: (say) => say('shell:theme', { theme: say(`shell:themes.${theme}`) }),
      also: (say) => say('also.theme'),
      run: appear({ theme }),
      hindered: needsOther('theme', theme),
    }),
  ),
  ...(['en', 'es', 'system'] as const).map(
    (language): Action => ({
      id: `language-${language}`,
      group: 'look',
      label: (say) => say('do.language', { language: say(`languages.${language}`) }),
      also: (say) => say('also.language'),
      run: appear({ language }),
      hindered: needsOther('language', language),
    }),
  ),
]

const HELP: readonly Action[] = [
  {
    id: 'undo',
    group: 'help',
    label: (say) => say('do.undo'),
    keys: [[MOD, 'Z']],
    run: undoLatest,
    hindered: needsRemoval,
  },
  {
    id: 'new-window',
    group: 'help',
    label: (say) => say('do.newWindow'),
    also: (say) => say('also.newWindow'),
    keys: [['w']],
    desktop: [[MOD, 'N']],
    run: openSameAgain,
  },
  { id: 'palette', group: 'help', label: (say) => say('do.palette'), keys: [[MOD, 'K']] },
  {
    id: 'help',
    group: 'help',
    label: (say) => say('do.help'),
    keys: [['?']],
    run: () => useOver.getState().show('help'),
  },
]

/** Every action of the window, in the order in which it is shown. */
export const ACTIONS: readonly Action[] = [
  ...LIST,
  ...COPIES,
  ...SORTS,
  ...SERVICE,
  ...SCREENS,
  ...SECTIONS_OF,
  ...RECEIVER,
  ...LOOK,
  ...HELP,
]

/** The keys of an action, in this host. @param native the desktop app, which has a menu with keys of its own */
export const keysOf = (
  { keys = [], desktop = [] }: Pick<Action, 'keys' | 'desktop'>,
  native: boolean,
): Keys => (native ? [...keys, ...desktop] : keys)
