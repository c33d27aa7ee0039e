import { Check, ChevronRight, Download, X } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type ReactElement, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Action } from '@/shared/actions/action.ts'
import { Kbd, useKeyHint } from './action-keys.tsx'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import { IconButton } from './icon-button.tsx'
import { floatingLayer } from './popover-panel.tsx'
import { useAction } from './use-action.ts'

export type MenuEntry =
  | {
      readonly type: 'item'
      readonly label: string
      readonly onSelect: () => void
      readonly icon?: ReactNode
      readonly kbd?: string
      readonly danger?: boolean
      readonly disabled?: boolean
    }
  | {
      /** The menu stays open on selection, so that the user can change several entries at once. */
      readonly type: 'checkbox'
      readonly label: string
      readonly checked: boolean
      readonly onChange: (checked: boolean) => void
      readonly disabled?: boolean
    }
  | {
      readonly type: 'radio'
      readonly label?: string
      readonly value: string
      readonly onChange: (value: string) => void
      readonly options: readonly { readonly value: string; readonly label: string }[]
    }
  | { readonly type: 'group' | 'submenu'; readonly label: string; readonly entries: readonly MenuEntry[] }
  | { readonly type: 'separator' }

export interface MenuProps {
  /** One button element. */
  readonly trigger: ReactElement
  readonly entries: readonly MenuEntry[]
  readonly align?: 'start' | 'center' | 'end'
  readonly side?: 'bottom' | 'right'
  /** Open from the first draw, when the user pressed the trigger before the code had loaded. */
  readonly defaultOpen?: boolean
  /** Controlled state, together with `onOpen`: the parent opens and closes the menu. */
  readonly open?: boolean
  readonly onOpen?: (open: boolean) => void
  /** Replaces the return of the focus to the trigger. @param outside a press outside closed the menu and took the focus */
  readonly onClosed?: (outside: boolean) => void
}

const MENU = cx(
  'z-[calc(var(--layer-overlay)_+_1)] min-w-180',
  'max-h-(--radix-dropdown-menu-content-available-height) overflow-y-auto p-4 border',
  'border-line-strong rounded-8 bg-panel text-fg shadow-float outline-none',
)
const ITEM = cx(
  'flex items-center gap-8 h-28 pr-8 pl-6 rounded-4 text-s outline-none cursor-default select-none',
  'data-[disabled]:text-fg-3 data-[highlighted]:bg-hover',
  'data-[highlighted]:[box-shadow:inset_0_0_0_1px_var(--line)]',
  'forced-colors:data-[highlighted]:bg-[Highlight]',
  'forced-colors:data-[highlighted]:text-[HighlightText]',
  'forced-colors:data-[highlighted]:forced-color-adjust-none',
)
const LABEL = 'px-8 pt-7 pb-4 text-fg-3 label-xs'
const Sign = ({ children }: { readonly children?: ReactNode }) => (
  <span className="grid flex-none place-items-center w-16 [&_svg]:size-14">{children}</span>
)

function Entry({ entry }: { readonly entry: MenuEntry }) {
  switch (entry.type) {
    case 'item':
      return (
        <DropdownMenu.Item
          className={cx(ITEM, entry.danger && 'text-invalid')}
          disabled={entry.disabled ?? false}
          onSelect={entry.onSelect}
        >
          <Sign>{entry.icon}</Sign>
          <span className="flex-1 whitespace-nowrap">{entry.label}</span>
          {entry.kbd === undefined ? null : <Kbd>{entry.kbd}</Kbd>}
        </DropdownMenu.Item>
      )
    case 'checkbox':
      return (
        <DropdownMenu.CheckboxItem
          className={ITEM}
          checked={entry.checked}
          disabled={entry.disabled ?? false}
          onCheckedChange={entry.onChange}
          onSelect={(event) => event.preventDefault()}
        >
          <Sign>{entry.checked ? <Check /> : null}</Sign>
          <span className="flex-1 whitespace-nowrap">{entry.label}</span>
        </DropdownMenu.CheckboxItem>
      )
    case 'radio':
      return (
        <DropdownMenu.RadioGroup value={entry.value} onValueChange={entry.onChange}>
          {entry.label === undefined ? null : (
            <DropdownMenu.Label className={LABEL}>{entry.label}</DropdownMenu.Label>
          )}
          {entry.options.map((option) => (
            <DropdownMenu.RadioItem key={option.value} value={option.value} className={ITEM}>
              <Sign>{option.value === entry.value ? <Check /> : null}</Sign>
              <span className="flex-1 whitespace-nowrap">{option.label}</span>
            </DropdownMenu.RadioItem>
          ))}
        </DropdownMenu.RadioGroup>
      )
    case 'group':
      return (
        <DropdownMenu.Group>
          <DropdownMenu.Label className={LABEL}>{entry.label}</DropdownMenu.Label>
          <Entries entries={entry.entries} />
        </DropdownMenu.Group>
      )
    case 'submenu':
      return (
        <DropdownMenu.Sub>
          <DropdownMenu.SubTrigger className={ITEM}>
            <Sign />
            <span className="flex-1 whitespace-nowrap">{entry.label}</span>
            <ChevronRight aria-hidden="true" className="flex-none text-fg-3 size-13" />
          </DropdownMenu.SubTrigger>
          <DropdownMenu.Portal container={floatingLayer()}>
            <DropdownMenu.SubContent className={MENU} sideOffset={4} collisionPadding={8}>
              <Entries entries={entry.entries} />
            </DropdownMenu.SubContent>
          </DropdownMenu.Portal>
        </DropdownMenu.Sub>
      )
    case 'separator':
      return <DropdownMenu.Separator className="h-1 m-4 bg-line" />
  }
}

function Entries({ entries }: { readonly entries: readonly MenuEntry[] }) {
  return entries.map((entry, index) => (
    // Entries of a menu have no identity beyond their place.
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    <Entry key={index} entry={entry} />
  ))
}

/** A dropdown menu of actions and switches. Not modal: Radix's modal menus lock scrolling through an injected <style>. */
export function Menu(props: MenuProps) {
  const { trigger, entries, defaultOpen = false, open, onOpen, onClosed } = props
  const where = { align: props.align ?? 'start', side: props.side ?? 'bottom' }
  const outside = useRef(false)
  const closing = onClosed && {
    onInteractOutside: () => {
      outside.current = true
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      onClosed(outside.current)
    },
  }
  return (
    <DropdownMenu.Root
      modal={false}
      {...(open === undefined ? { defaultOpen } : { open })}
      {...(onOpen ? { onOpenChange: onOpen } : {})}
    >
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal container={floatingLayer()}>
        <DropdownMenu.Content className={MENU} {...where} sideOffset={4} collisionPadding={8} {...closing}>
          <Entries entries={entries} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

/** Turns an action into a menu entry. @param label the entry's text in its context */
export function useMenuEntry(): (action: Action, label: string) => Extract<MenuEntry, { type: 'item' }> {
  const hint = useKeyHint()
  return (action, label) => {
    const kbd = hint(action)
    const disabled = (action.when?.() ?? null) !== null
    return { type: 'item', label, ...(kbd ? { kbd } : {}), disabled, onSelect: () => action.run() }
  }
}

interface ExportMenuProps {
  readonly children: ReactNode
  readonly disabled: boolean
  /** Text shown while a long export runs, which the user can cancel. Omitted for immediate exports. */
  readonly going?: string
  readonly ways: readonly {
    readonly label: string
    readonly icon?: ReactNode
    /** @returns the result message */
    readonly run: (signal: AbortSignal) => Promise<string>
  }[]
}

/** Exports the shown data in one of several formats, and reports the result. */
export function ExportMenu({ children, disabled, going, ways }: ExportMenuProps) {
  const { t } = useTranslation()
  const action = useAction()
  const [said, setSaid] = useState('')
  const giveUp = useRef<AbortController>(undefined)
  const start = (run: (signal: AbortSignal) => Promise<string>) =>
    action.run(async () => {
      setSaid('')
      giveUp.current = new AbortController()
      const { signal } = giveUp.current
      try {
        setSaid(await run(signal))
      } catch (reason) {
        if (!signal.aborted) throw reason
      }
    })
  const runs = action.busy && going !== undefined
  return (
    <>
      <span role="status" className="text-fg-2 text-s tabular-nums whitespace-nowrap empty:hidden">
        {runs ? going : (action.refused ?? said)}
      </span>
      {runs ? (
        <IconButton label={t('cancel')} icon={<X />} onClick={() => giveUp.current?.abort()} />
      ) : (
        <Menu
          align="end"
          trigger={
            <Button icon={<Download />} disabled={disabled}>
              {children}
            </Button>
          }
          entries={ways.map(({ run, ...way }) => ({
            ...way,
            type: 'item',
            onSelect: () => void start(run),
          }))}
        />
      )}
    </>
  )
}
