import { Ellipsis } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { askMenu } from '@/shared/actions/context.ts'
import { IconButton } from './icon-button.tsx'

export interface MenuButtonProps {
  /** Name of the menu's subject. */
  readonly name: string
  readonly stop: boolean
  readonly onFocus: () => void
}

/** Opens its row's menu by keyboard or click, without a right click. Visible while its `data-menu-row` is hovered or focused. */
export function MenuButton({ name, stop, onFocus }: MenuButtonProps) {
  const { t } = useTranslation('components')
  return (
    <IconButton
      small
      data-menu-button=""
      aria-haspopup="menu"
      className="opacity-0 in-[[data-menu-row]:is(:hover,:focus-within)]:opacity-100"
      tabIndex={stop ? 0 : -1}
      label={t('menu', { name })}
      icon={<Ellipsis />}
      onFocus={onFocus}
      onClick={(event) => askMenu(event.currentTarget)}
    />
  )
}

/** Makes many such buttons one tab stop; arrow keys move between them. @param first the initial tab stop */
export function useMenuStops<Key>(first: Key) {
  const [at, setAt] = useState<Key | null>(null)
  const stopOf = (key: Key) => ({ stop: key === (at ?? first), onFocus: () => setAt(key) })
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-menu-button]')]
    const place = event.target instanceof HTMLElement ? buttons.indexOf(event.target) : -1
    if (step === undefined || place < 0) return
    event.preventDefault()
    buttons[place + step]?.focus()
  }
  return { stopOf, onKeyDown }
}
