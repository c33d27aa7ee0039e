import { ROUTES } from '@/routes.tsx'
import { useRoute } from '@/stores/route.ts'
import { PARTS, type PartName } from '@/views/sandbox/sections.ts'
import { SECTIONS } from '@/views/settings/sections.ts'
import { type Action, MOD } from './action.ts'

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

/** The way to every screen, and to every part of those that have parts. */
export const GO_ACTIONS: readonly Action[] = [...SCREENS, ...SECTIONS_OF]
