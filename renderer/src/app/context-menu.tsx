import { Check } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ACTION_TEXTS, type Action, wordsOf } from '@/shared/actions/action.ts'
import { type OpenedMenu, useContextMenu } from '@/shared/actions/context.ts'
import { useKeyHint } from '@/shared/components/action-keys.tsx'
import { Menu, type MenuEntry } from '@/shared/components/menu.tsx'
import { perform } from './perform.ts'

/** The menu of what was pressed. What is selected in it runs once the focus is back: it may move it, or open a dialog that gives it back. */
export function ContextMenu({ opened }: { readonly opened: OpenedMenu }) {
  const { x, y, groups, back } = opened
  const { t } = useTranslation(ACTION_TEXTS)
  const hint = useKeyHint()
  const taken = useRef<Action>(null)
  const entryOf = (action: Action): MenuEntry => {
    const kbd = hint(action)
    return {
      type: 'item',
      label: wordsOf(action.short ?? action.title, t),
      ...(kbd ? { kbd } : {}),
      ...(action.checked?.() ? { icon: <Check /> } : {}),
      danger: action.danger ?? false,
      disabled: (action.when?.() ?? null) !== null,
      onSelect: () => {
        taken.current = action
      },
    }
  }
  const entriesOf = (group: readonly Action[]): readonly MenuEntry[] => {
    const names = [...new Set(group.map(({ id, submenu }) => submenu ?? `only ${id}`))]
    return names.map((name) => {
      const those = group.filter(({ id, submenu }) => (submenu ?? `only ${id}`) === name)
      const { submenu } = those[0] ?? {}
      if (submenu !== undefined)
        return { type: 'submenu', label: wordsOf(submenu, t), entries: those.map(entryOf) }
      const [one] = those.map(entryOf)
      return one ?? { type: 'separator' }
    })
  }
  return (
    <Menu
      defaultOpen
      trigger={
        <button
          type="button"
          tabIndex={-1}
          aria-label={t('on.menu')}
          className="fixed size-0 p-0 border-0"
          style={{ left: x, top: y }}
        />
      }
      entries={groups.flatMap((group, at) => [
        ...(at > 0 ? [{ type: 'separator' } as const] : []),
        ...entriesOf(group),
      ])}
      onClosed={(outside) => {
        if (!outside && back?.isConnected) back.focus({ preventScroll: true })
        if (useContextMenu.getState().opened === opened) useContextMenu.setState({ opened: null })
        const { current } = taken
        if (current) setTimeout(() => perform(current))
      }}
    />
  )
}
