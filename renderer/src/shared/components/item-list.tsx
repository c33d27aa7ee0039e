import { Pencil, Trash2 } from 'lucide-react'
import { Fragment, type ReactNode, useState } from 'react'
import { removed } from '@/shared/live/undo.ts'
import { ConfirmAction } from './confirm-action.tsx'
import { IconButton } from './icon-button.tsx'
import styles from './item-list.module.css'
import { Refused } from './refused.tsx'
import { type Action, useAction } from './use-action.ts'

/** Short facts in a line, a dot between them; what is false or null is left out. */
export function Facts({ facts }: { readonly facts: readonly (string | false | null)[] }) {
  return (
    <p className={styles.facts}>
      {facts.map((fact) => (fact === false || fact === null ? null : <span key={fact}>{fact}</span>))}
    </p>
  )
}

/** One of several things in a list. */
export function Item({ head, children }: { readonly head: ReactNode; readonly children: ReactNode }) {
  return (
    <li className="py-8 border-t border-line-soft last:pb-0">
      <div className="flex items-center gap-6">{head}</div>
      {children}
    </li>
  )
}

/** What is asked about a thing of a list; null: about a new one. */
export interface Asked<T, W extends string> {
  readonly what: W | 'edit'
  readonly item: T | null
}

interface Line {
  readonly lead?: ReactNode
  readonly tags?: ReactNode
  /** Before the button that edits. */
  readonly before?: ReactNode
  /** In place of the button that removes. */
  readonly after?: ReactNode
  readonly address?: ReactNode
  readonly facts?: readonly (string | false | null)[]
  readonly more?: ReactNode
}

export interface Items<T, W extends string> {
  readonly items: readonly T[]
  readonly words: {
    readonly edit?: (name: string) => string
    readonly remove: (name: string) => string
    readonly question: (name: string) => {
      readonly title: string
      readonly text: string
      readonly confirm: string
    }
  }
  readonly line: (
    item: T,
    does: {
      readonly run: Action['run']
      readonly ask: (what: W | 'edit') => void
      readonly remove: () => void
    },
  ) => Line
  readonly dialog?: (asked: Asked<T, W>, close: () => void) => ReactNode
  /** @throws RefusalError */
  readonly remove: (item: T) => Promise<unknown>
  /** The way back of a removal. What it does not take, such as a thing with a secret, is asked about before it goes. */
  readonly undo?: {
    readonly of: Parameters<typeof removed>[0]
    readonly takes: (item: T) => boolean
    readonly putBack: (item: T) => Promise<unknown>
  }
}

/** Things with names: each can be edited in a dialog and removed, and another can be added. */
export function useItems<T extends { readonly name: string; readonly id?: number }, W extends string = never>(
  list: Items<T, W>,
) {
  const { items, words, line, dialog, undo } = list
  const action = useAction()
  const [asked, setAsked] = useState<Asked<T, W> | null>(null)
  const [removing, setRemoving] = useState<T | null>(null)
  const close = () => {
    setAsked(null)
    setRemoving(null)
    action.clear()
  }
  const remove = async (item: T) => {
    if (!(await action.run(() => list.remove(item)))) return
    close()
    if (undo?.takes(item)) await removed(undo.of, { name: item.name }, () => undo.putBack(item))
  }
  const question = removing && words.question(removing.name)
  return {
    action,
    add: () => setAsked({ what: 'edit', item: null }),
    rows: (
      <ul className="grid">
        {items.map((item) => {
          const { name } = item
          const ask = (what: W | 'edit') => setAsked({ what, item })
          const drop = () => (undo?.takes(item) ? void remove(item) : setRemoving(item))
          const { lead, tags, before, after, address, facts, more } = line(item, {
            ...{ run: action.run, ask, remove: drop },
          })
          return (
            <Item
              key={item.id ?? name}
              head={
                <>
                  {lead}
                  <b className={styles.name}>{name}</b>
                  {tags}
                  <span className="flex-1" />
                  {before}
                  {words.edit ? (
                    <IconButton label={words.edit(name)} icon={<Pencil />} onClick={() => ask('edit')} />
                  ) : null}
                  {after ?? <IconButton label={words.remove(name)} icon={<Trash2 />} onClick={drop} />}
                </>
              }
            >
              {address ? <div className={styles.url}>{address}</div> : null}
              {facts ? <Facts facts={facts} /> : null}
              {more}
            </Item>
          )
        })}
      </ul>
    ),
    /** What is asked at present, and why the last change was refused. */
    asking: (
      <>
        {asked || removing ? null : <Refused refusal={action.refusal} />}
        {asked ? <Fragment key={asked.what}>{dialog?.(asked, close)}</Fragment> : null}
        {removing && question ? (
          <ConfirmAction
            action={action}
            title={question.title}
            confirmLabel={question.confirm}
            onConfirm={() => void remove(removing)}
            onCancel={close}
          >
            {question.text}
          </ConfirmAction>
        ) : null}
      </>
    ),
  }
}
