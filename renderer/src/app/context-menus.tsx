import { useEffect } from 'react'
import { followMenuKeys, useContextMenu } from '@/shared/actions/context.ts'
import { lateView } from '@/shared/i18n/texts.ts'

const ContextMenu = lateView(
  ['actions', 'settings', 'sandbox'],
  async () => (await import('./context-menu.tsx')).ContextMenu,
)

export function ContextMenus() {
  const { opened, turn } = useContextMenu()
  useEffect(followMenuKeys, [])
  return opened ? <ContextMenu key={turn} opened={opened} /> : null
}
