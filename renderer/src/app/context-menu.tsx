import { Check } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ACTION_TEXTS, type Action, wordsOf } from '@/shared/actions/action.ts'
import { type OpenedMenu, useContextMenu } from '@/shared/actions/context.ts'
import { Menu, type MenuEntry, useMenuEntry } from '@/shared/components/menu.tsx'
import { perform } from './perform.ts'

/** The context menu. A selected item runs after the focus has returned, as it may move the focus or open a dialog that restores it. */
export function ContextMenu({ opened }: { readonly opened: OpenedMenu }) {
  const { x, y, groups, back } = opened
  const { t } = useTranslation(ACTION_TEXTS)
  const menuEntry = useMenuEntry()
  const taken = useRef<Action>(null)
  const entryOf = (action: Action): MenuEntry => ({
    ...menuEntry(action, wordsOf(action.short ?? action.title, t)),
    ...(action.checked?.() ? { icon: <Check /> } : {}),
    danger: action.danger ?? false,
    onSelect: () => {
      taken.current = action
    },
  })
  const entriesOf = (group: readonly Action[]): readonly MenuEntry[] =>
    [...Map.groupBy(group, ({ id, submenu }) => submenu ?? `only ${id}`).values()].flatMap((those) => {
      const submenu = those[0]?.submenu
      const entries = those.map(entryOf)
      return submenu === undefined ? entries : [{ type: 'submenu', label: wordsOf(submenu, t), entries }]
    })
  return (
    <Menu
      defaultOpen
      // Beside a point the menu can shift vertically, so it scrolls only in a window lower than the menu.
      side="right"
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
