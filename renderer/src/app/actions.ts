import type { Settings } from '#contract/settings.ts'
import { PARTS, type PartName } from '@/features/sandbox/sections.ts'
import { SECTIONS } from '@/features/settings/sections.ts'
import { SORTS, STREAM } from '@/features/stream/actions.ts'
import { type Action, createShown, defineActions, MOD, type When } from '@/shared/actions/action.ts'
import { DELIVERY } from '@/shared/deliveries/actions.ts'
import { api } from '@/shared/live/api.ts'
import { useConnect, useOver } from '@/shared/live/layers.ts'
import { aloneId, type ScreenName, useRoute } from '@/shared/live/route.ts'
import { changeSettings, useSettings } from '@/shared/live/settings.ts'
import { startReceiver, useStatus } from '@/shared/live/status.ts'
import { latestUndoable, undoLatest } from '@/shared/live/undo.ts'
import { openSameAgain } from '@/shared/platform/web.ts'
import { ROUTES } from './routes.tsx'

const lost = (): boolean => useStatus.getState().connection === 'lost'
const listening = (): boolean => useStatus.getState().status?.receiver.state === 'listening'
const needsStopped: When = () => (lost() ? 'lost' : listening() ? 'listening' : null)
const needsListening: When = () => (lost() ? 'lost' : listening() ? null : 'notListening')
const needsConnection: When = () =>
  (useSettings.getState().settings?.connections.length ?? 0) > 0 ? null : 'noConnection'

/** The button beside the receiver's address, which shows and says that it copied. */
export const addressCopier = createShown<{ copy(): void }>()

/** Whether an open dialog captures the keys. */
export const isAsking = (): boolean => document.querySelector('[role="dialog"],[role="alertdialog"]') !== null

/** Text fields have their own undo. */
const isText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea,input:not([type="checkbox"],[type="radio"])'))

// The host cannot be reached: the banner of the lost connection already says so.
const quietly = (asked: Promise<unknown>): void => void asked.catch(() => undefined)

const SERVICE = defineActions({ group: 'service' })({
  emit: {
    title: 'do.emit',
    also: 'also.emit',
    run: () => useRoute.getState().go('sandbox', 'emit'),
  },
  'new-sweep': {
    title: 'do.newSweep',
    also: 'also.newSweep',
    when: needsConnection,
    run: () => useRoute.getState().go('reconcile'),
  },
  'file-check': {
    title: 'do.fileCheck',
    also: 'also.fileCheck',
    keys: [['v']],
    run: () => useOver.getState().show('file-check'),
  },
  import: {
    title: 'do.import',
    also: 'also.import',
    keys: [['i']],
    parted: true,
    run: () => useOver.getState().show('import'),
  },
})

const RECEIVER = defineActions({ group: 'receiver' })({
  'start-receiver': {
    title: 'do.startReceiver',
    also: 'also.receiver',
    when: needsStopped,
    host: 'startReceiver',
    run: () => startReceiver({}),
  },
  'stop-receiver': {
    title: 'do.stopReceiver',
    also: 'also.receiver',
    when: needsListening,
    host: 'stopReceiver',
    run: () => quietly(api.call('receiver.stop', {})),
  },
  'copy-address': {
    title: 'do.copyAddress',
    also: 'also.copyAddress',
    desktop: [[MOD, 'Shift', 'C']],
    when: needsListening,
    host: 'copyAddress',
    run: () => addressCopier.now()?.copy(),
  },
  connect: {
    title: 'do.connect',
    also: 'also.connect',
    keys: [['a']],
    run: () => useConnect.getState().open(),
  },
})

type Appearance = Settings['appearance']
function choose<K extends keyof Appearance>(
  what: K,
  value: Appearance[K],
): Pick<Action, 'checked' | 'when' | 'run'> {
  const checked = () => useSettings.getState().settings?.appearance[what] === value
  return {
    checked,
    when: () => (lost() ? 'lost' : checked() ? 'alreadySo' : null),
    run: () => quietly(changeSettings('settings.update', { appearance: { [what]: value } })),
  }
}

const LOOK: readonly Action[] = [
  ...(['light', 'dark', 'system'] as const).map(
    (theme): Action => ({
      id: `theme-${theme}`,
      group: 'look',
      title: (say) => say('shell:theme', { theme: say(`shell:themes.${theme}`) }),
      short: `shell:themes.${theme}`,
      also: 'also.theme',
      submenu: 'menu.theme',
      ...choose('theme', theme),
    }),
  ),
  ...(['en', 'es', 'system'] as const).map(
    (language): Action => ({
      id: `language-${language}`,
      group: 'look',
      title: (say) => say('do.language', { language: say(`languages.${language}`) }),
      short: `languages.${language}`,
      also: 'also.language',
      submenu: 'shell:language',
      ...choose('language', language),
    }),
  ),
]

/** Available on every screen, and in a window of one delivery. */
export const HELP = defineActions({ group: 'help' })({
  undo: {
    title: 'do.undo',
    keys: [[MOD, 'Z']],
    holds: (target) => !isText(target),
    menu: 'none',
    when: () => (latestUndoable() ? null : 'noRemoval'),
    run: undoLatest,
  },
  'new-window': {
    title: 'do.newWindow',
    also: 'also.newWindow',
    keys: [['w']],
    desktop: [[MOD, 'N']],
    menu: 'file',
    host: 'newWindow',
    run: openSameAgain,
  },
  palette: {
    title: 'do.palette',
    short: 'palette.title',
    keys: [[MOD, 'K']],
    // Works everywhere, also in text fields; an open dialog captures it.
    holds: () => true,
    menu: 'edit',
    keyOnly: true,
    run: () => {
      const { shown, show, close } = useOver.getState()
      if (shown === 'palette') close()
      else if (!isAsking()) show('palette')
    },
  },
  guide: {
    title: 'do.guide',
    short: 'guide.title',
    also: 'also.guide',
    run: () => useOver.getState().show('guide'),
  },
  help: {
    title: 'do.help',
    short: 'title',
    keys: [['?']],
    run: () => useOver.getState().show('help'),
  },
})

const screens = ROUTES.map(({ name, key }, at): readonly [string, Action] => [
  name,
  {
    id: `go-${name}`,
    group: 'go',
    title: (say) => say('do.goTo', { screen: say(`shell:${name}`) }),
    short: `shell:${name}`,
    keys: [[String(at + 1)], ['g', key]],
    desktop: [[MOD, name === 'settings' ? ',' : String(at + 1)]],
    // The app menu places Settings by platform convention.
    ...(name === 'settings' ? { menu: 'none' } : {}),
    run: () => useRoute.getState().go(name),
  },
])
export const SCREENS = Object.fromEntries(screens) as Readonly<Record<ScreenName, Action>>

const SANDBOX_PARTS: readonly PartName[] = Object.values(PARTS).flat()

const PARTS_OF_SCREENS: readonly Action[] = [
  ...SANDBOX_PARTS.map(
    (name): Action => ({
      id: `sandbox-${name}`,
      group: 'go',
      title: (say) =>
        say('do.section', { screen: say('shell:sandbox'), section: say(`sandbox:nav.${name}`) }),
      menu: 'none',
      run: () => useRoute.getState().go('sandbox', name),
    }),
  ),
  ...SECTIONS.map(
    (name): Action => ({
      id: `settings-${name}`,
      group: 'go',
      title: (say) =>
        say('do.section', { screen: say('shell:settings'), section: say(`settings:${name}.title`) }),
      short: `settings:${name}.title`,
      submenu: 'menu.settings',
      run: () => useRoute.getState().go('settings', name),
    }),
  ),
]

export const ACTIONS: readonly Action[] = [
  ...Object.values(STREAM),
  ...Object.values(DELIVERY),
  ...SORTS,
  ...Object.values(SERVICE),
  ...Object.values(SCREENS),
  ...PARTS_OF_SCREENS,
  ...Object.values(RECEIVER),
  ...LOOK,
  ...Object.values(HELP),
]

/** A window of one delivery has no list, no way to other screens and no status bar. */
export const isAlone = (): boolean => aloneId(useRoute.getState()) !== null
const holdsAlone = ({ group, alone }: Action): boolean =>
  alone === true || group === 'look' || group === 'help'
const ALONE = ACTIONS.filter(holdsAlone)

export const actionsHere = (): readonly Action[] => (isAlone() ? ALONE : ACTIONS)
