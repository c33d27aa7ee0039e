import { Pencil, Plus, Trash2 } from 'lucide-react'
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Refusal } from '#contract/errors.ts'
import { removed } from '@/shared/live/undo.ts'
import { Button } from './button.tsx'
import { ConfirmAction } from './confirm-action.tsx'
import { ADDRESS } from './copy-button.tsx'
import { Figures } from './figures.tsx'
import { IconButton } from './icon-button.tsx'
import { Refused } from './refused.tsx'
import { SectionCard, type SectionCardProps } from './section-card.tsx'
import { Switch } from './toggle.tsx'
import { type Action, useAction } from './use-action.ts'

/** The open dialog about a list item; null: about a new item. */
export interface Asked<T, W extends string> {
  readonly what: W | 'edit'
  readonly item: T | null
}

interface Line {
  readonly lead?: ReactNode
  readonly tags?: ReactNode
  readonly before?: ReactNode
  readonly after?: ReactNode
  readonly address?: ReactNode
  readonly facts?: readonly ReactNode[]
  readonly more?: ReactNode
}

export interface Items<T, W extends string> {
  readonly items: readonly T[]
  readonly line: (
    item: T,
    does: {
      readonly run: Action['run']
      readonly ask: (what: W | 'edit') => void
      readonly remove: () => void
    },
  ) => Line
  readonly enabled?: {
    readonly of: (item: T) => boolean
    readonly set: (item: T, on: boolean) => Promise<unknown>
  }
  /** Without it items cannot be edited. */
  readonly dialog?: (asked: Asked<T, W>, close: () => void) => ReactNode
  /** Texts of the confirmation before an irreversible removal. */
  readonly say?: (word: 'removeTitle' | 'removeText' | 'removeConfirm', of: { name: string }) => string
  readonly remove: (item: T) => Promise<unknown>
  /** Undo of a removal. Items that it cannot restore, such as those with a secret, need a confirmation first. */
  readonly undo?: {
    readonly of: Parameters<typeof removed>[0]
    readonly takes: (item: T) => boolean
    readonly putBack: (item: T) => Promise<unknown>
  }
}

type Named = { readonly name: string; readonly id?: number }

/** A list of named items that the user can add, edit in a dialog, and remove. */
export function useItems<T extends Named, W extends string = never>(list: Items<T, W>) {
  const { items, say, line, enabled, dialog, undo } = list
  const { t } = useTranslation('components')
  const action = useAction()
  const [asked, setAsked] = useState<Asked<T, W> | null>(null)
  const [removing, setRemoving] = useState<T | null>(null)
  const rows = useRef<HTMLUListElement>(null)
  const removedAt = useRef<number>(null)
  // A removed item takes the focus along: the next one gets it, else the one before, else the button that adds one.
  useEffect(() => {
    if (removedAt.current === null || document.activeElement !== document.body) return
    const left = [...(rows.current?.children ?? [])]
    const next = left[removedAt.current] ?? left.at(-1) ?? rows.current?.closest('section')
    removedAt.current = null
    next?.querySelector('button')?.focus()
  })
  const close = () => {
    setAsked(null)
    setRemoving(null)
    action.clear()
  }
  const take = async (item: T) => {
    const at = items.indexOf(item)
    await list.remove(item)
    removedAt.current = at
  }
  const remove = async (item: T, { of, putBack }: NonNullable<Items<T, W>['undo']>) => {
    if (!(await action.run(() => take(item)))) return
    close()
    await removed(of, { name: item.name }, () => putBack(item))
  }
  return {
    action,
    add: () => setAsked({ what: 'edit', item: null }),
    rows: (
      <ul ref={rows} className="grid empty:hidden">
        {items.map((item) => {
          const { name } = item
          const ask = (what: W | 'edit') => setAsked({ what, item })
          const drop = () => (undo?.takes(item) ? void remove(item, undo) : setRemoving(item))
          const { lead, tags, before, after, address, facts, more } = line(item, {
            run: action.run,
            ask,
            remove: drop,
          })
          return (
            <li key={item.id ?? name} className="py-8 border-t border-line-soft last:pb-0">
              <div className="flex items-center gap-6">
                {lead}
                <b className="code-s-medium text-m leading-[1.3] wrap-anywhere">{name}</b>
                {tags}
                <span className="flex-1" />
                {enabled ? (
                  <Switch
                    hideLabel
                    label={t('items.enabled', { name })}
                    checked={enabled.of(item)}
                    onChange={(on) => void action.run(() => enabled.set(item, on))}
                  />
                ) : null}
                {before}
                {dialog ? (
                  <IconButton
                    label={t('items.edit', { name })}
                    icon={<Pencil />}
                    onClick={() => ask('edit')}
                  />
                ) : null}
                {after ?? <IconButton label={t('items.remove', { name })} icon={<Trash2 />} onClick={drop} />}
              </div>
              {address ? <div className={ADDRESS}>{address}</div> : null}
              {facts ? <Figures facts={facts} /> : null}
              {more}
            </li>
          )
        })}
      </ul>
    ),
    asking: (
      <>
        {asked || removing ? null : <Refused refusal={action.refusal} />}
        {asked ? <Fragment key={asked.what}>{dialog?.(asked, close)}</Fragment> : null}
        {removing && say ? (
          <ConfirmAction
            title={say('removeTitle', removing)}
            confirmLabel={say('removeConfirm', removing)}
            work={() => take(removing)}
            onClose={close}
          >
            {say('removeText', removing)}
          </ConfirmAction>
        ) : null}
      </>
    ),
  }
}

interface ItemCardProps<T, W extends string>
  extends Items<T, W>,
    Pick<SectionCardProps, 'id' | 'title' | 'level' | 'text' | 'className'> {
  readonly add?: string
  readonly none?: string
  readonly refusal?: Refusal | null
  readonly children?: ReactNode
}

export function ItemCard<T extends Named, W extends string = never>(props: ItemCardProps<T, W>) {
  const { id, title, level, text, className, add, none, refusal = null, children, ...items } = props
  const list = useItems<T, W>(items)
  return (
    <SectionCard
      {...{ title, text, className }}
      {...(id === undefined ? {} : { id })}
      {...(level === undefined ? {} : { level })}
      actions={
        add === undefined ? null : (
          <Button icon={<Plus />} onClick={list.add}>
            {add}
          </Button>
        )
      }
    >
      <Refused refusal={refusal} />
      {none !== undefined && items.items.length === 0 ? <p className="text-fg-2 text-s">{none}</p> : null}
      {list.rows}
      {children}
      {list.asking}
    </SectionCard>
  )
}
