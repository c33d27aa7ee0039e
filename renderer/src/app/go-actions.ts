import { PARTS, type PartName } from '@/features/sandbox/sections.ts'
import { SECTIONS } from '@/features/settings/sections.ts'
import { type Action, MOD } from '@/shared/actions/action.ts'
import { type ScreenName, useRoute } from '@/shared/live/route.ts'
import { ROUTES } from './routes.tsx'

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

export const PARTS_OF_SCREENS: readonly Action[] = [
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
