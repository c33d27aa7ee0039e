import type { Settings } from '#contract/settings.ts'
import { api } from '@/live/api.ts'
import { openSameAgain } from '@/live/new-window.ts'
import { useConnect } from '@/stores/connect.ts'
import { useOver } from '@/stores/over.ts'
import { startReceiver } from '@/stores/receiver.ts'
import { useRoute } from '@/stores/route.ts'
import { useSettings } from '@/stores/settings.ts'
import { undoLatest } from '@/stores/undo.ts'
import { type Action, MOD } from './action.ts'
import { GO_ACTIONS } from './go-actions.ts'
import { needsConnection, needsListening, needsOther, needsRemoval, needsStopped } from './hindrances.ts'
import { STREAM_ACTIONS } from './stream-actions.ts'

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
  ...STREAM_ACTIONS,
  ...SERVICE,
  ...GO_ACTIONS,
  ...RECEIVER,
  ...LOOK,
  ...HELP,
]
