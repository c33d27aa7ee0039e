import { Pencil, Plus, Trash2 } from 'lucide-react'
import { Fragment, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/components/button.tsx'
import { ConfirmAction } from '@/shared/components/confirm-action.tsx'
import { cx } from '@/shared/components/cx.ts'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { SectionCard } from '@/shared/components/section-card.tsx'
import { type Action, useAction } from '@/shared/components/use-action.ts'
import type { useForm } from '@/shared/forms/use-form.ts'
import { removed } from '@/shared/live/undo.ts'
import type { SectionName } from './sections.ts'
import styles from './settings.module.css'

export interface SectionProps {
  readonly name: SectionName
  readonly title: string
  readonly text?: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A part of the settings under a heading that can be gone to. */
export function Section({ name, ...card }: SectionProps) {
  return <SectionCard id={`settings-${name}`} className={styles.section} {...card} />
}

/** Short facts in a line, a dot between them; what is false or null is left out. */
export function Facts({ facts }: { readonly facts: readonly (string | false | null)[] }) {
  return (
    <p className={styles.facts}>
      {facts.map((fact) => (fact === false || fact === null ? null : <span key={fact}>{fact}</span>))}
    </p>
  )
}

/** Says that a list is empty, or what an action came to. */
export function Outcome({ children, role }: { readonly children: ReactNode; readonly role?: 'status' }) {
  return (
    <p role={role} className="min-h-18 text-fg text-s tabular-nums [&_span]:text-fg-2">
      {children}
    </p>
  )
}

/** One of several things in a list of the settings. */
export function Item({ head, children }: { readonly head: ReactNode; readonly children: ReactNode }) {
  return (
    <li className="py-8 border-t border-line-soft last:pb-0">
      <div className="flex items-center gap-6">{head}</div>
      {children}
    </li>
  )
}

/** A part of a section, below a line. */
export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="grid justify-items-start gap-10 pt-12 border-t border-line [&>h3]:heading-m [&>form]:w-full [&>ul]:w-full">
      <h3>{title}</h3>
      {children}
    </div>
  )
}

export interface InlineFormProps {
  readonly form: Pick<ReturnType<typeof useForm>, 'dialog' | 'changed' | 'reset'>
  readonly children: ReactNode
}

/** A form in its place: the buttons that save and discard show once something is changed. */
export function InlineForm({ form: { dialog, changed, reset }, children }: InlineFormProps) {
  const { t } = useTranslation('settings')
  return (
    <form
      noValidate
      className={cx(styles.form, 'grid grid-cols-1 gap-12')}
      onSubmit={(event) => {
        event.preventDefault()
        if (changed) void dialog.onSubmit()
      }}
    >
      {children}
      <Refused refusal={dialog.refusal} />
      <div className="flex gap-6 [&[hidden]]:hidden" hidden={!changed}>
        <Button type="submit" variant="primary" busy={dialog.busy}>
          {t('save')}
        </Button>
        <Button variant="quiet" onClick={reset}>
          {t('discard')}
        </Button>
      </div>
    </form>
  )
}

/** What is asked about a thing of a list; null: about a new one. */
export interface Asked<T, W extends string> {
  readonly what: W | 'edit'
  readonly item: T | null
}

interface Line {
  readonly tags?: ReactNode
  /** Before the button that edits. */
  readonly before?: ReactNode
  /** In place of the button that removes. */
  readonly after?: ReactNode
  readonly address: ReactNode
  readonly facts: readonly (string | false | null)[]
  readonly more?: ReactNode
}

const ONE = { endpoints: 'endpoint', targets: 'target', connections: 'connection' } as const

export interface ListSectionProps<T, W extends string> {
  readonly of: keyof typeof ONE
  readonly items: readonly T[]
  readonly line: (
    item: T,
    does: {
      readonly run: Action['run']
      readonly ask: (what: W | 'edit') => void
      readonly remove: () => void
    },
  ) => Line
  readonly dialog: (asked: Asked<T, W>, close: () => void) => ReactNode
  /** It holds secrets, which are forgotten with it: its removal is asked about, and cannot be undone. */
  readonly isGuarded: (item: T) => boolean
  /** @throws RefusalError */
  readonly remove: (item: T) => Promise<unknown>
  readonly putBack: (item: T) => Promise<unknown>
}

/** Things with names: each can be edited in a dialog and removed, and another can be added. */
export function ListSection<T extends { readonly name: string }, W extends string>(
  props: ListSectionProps<T, W>,
) {
  const { of, items, line, dialog, isGuarded } = props
  const { t } = useTranslation('settings')
  const action = useAction()
  const [asked, setAsked] = useState<Asked<T, W> | null>(null)
  const [removing, setRemoving] = useState<T | null>(null)
  const close = () => {
    setAsked(null)
    setRemoving(null)
    action.clear()
  }
  const remove = async (item: T) => {
    if (!(await action.run(() => props.remove(item)))) return
    close()
    if (!isGuarded(item)) await removed(ONE[of], { name: item.name }, () => props.putBack(item))
  }
  return (
    <Section
      name={of}
      title={t(`${of}.title`)}
      text={t(`${of}.text`)}
      actions={
        <Button icon={<Plus />} onClick={() => setAsked({ what: 'edit', item: null })}>
          {t(`${of}.add`)}
        </Button>
      }
    >
      {asked || removing ? null : <Refused refusal={action.refusal} />}
      {items.length === 0 && of !== 'endpoints' ? <Outcome>{t(`${of}.none`)}</Outcome> : null}
      <ul className="grid">
        {items.map((item) => {
          const { name } = item
          const ask = (what: W | 'edit') => setAsked({ what, item })
          const drop = () => (isGuarded(item) ? setRemoving(item) : void remove(item))
          const { tags, before, after, address, facts, more } = line(item, {
            run: action.run,
            ask,
            remove: drop,
          })
          return (
            <Item
              key={name}
              head={
                <>
                  <b className={styles.name}>{name}</b>
                  {tags}
                  <span className="flex-1" />
                  {before}
                  <IconButton
                    label={t(`${of}.edit`, { name })}
                    icon={<Pencil />}
                    onClick={() => ask('edit')}
                  />
                  {after ?? (
                    <IconButton label={t('targets.removeOf', { name })} icon={<Trash2 />} onClick={drop} />
                  )}
                </>
              }
            >
              <div className={styles.url}>{address}</div>
              <Facts facts={facts} />
              {more}
            </Item>
          )
        })}
      </ul>
      {asked ? <Fragment key={asked.what}>{dialog(asked, close)}</Fragment> : null}
      {removing ? (
        <ConfirmAction
          action={action}
          title={t(`${of}.removeTitle`, { name: removing.name })}
          confirmLabel={t(`${of}.removeConfirm`)}
          onConfirm={() => void remove(removing)}
          onCancel={close}
        >
          {t(`${of}.removeText`)}
        </ConfirmAction>
      ) : null}
    </Section>
  )
}
