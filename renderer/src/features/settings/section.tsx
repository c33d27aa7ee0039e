import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Settings } from '#contract/settings.ts'
import type { HostStatus } from '#contract/status.ts'
import { Button } from '@/shared/components/button.tsx'
import { ItemCard, type Items } from '@/shared/components/item-list.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { SectionCard, type SectionCardProps } from '@/shared/components/section-card.tsx'
import type { useForm } from '@/shared/forms/use-form.tsx'
import type { SectionName } from './sections.ts'

export interface HostParts {
  readonly settings: Settings
  readonly status: HostStatus
}

/** Props of a list's dialog. Item null: a new one. */
export interface ItemDialogProps<T> {
  readonly item: T | null
  readonly settings: Settings
  readonly onClose: () => void
}

export const TEXT = 'max-w-[68ch] text-fg-2 text-s leading-[1.5]'
export const NOTE = 'pt-12 border-t border-line text-fg-2 text-s leading-[1.5]'
/** For grids, which have a gap. */
export const GRIDDED = '[&>[data-refused]]:mt-0'

interface SectionProps extends Omit<SectionCardProps, 'id' | 'className'> {
  readonly name: SectionName
}

/** A part of the settings; its heading is a link target. */
export function Section({ name, ...card }: SectionProps) {
  return <SectionCard id={`settings-${name}`} className={GRIDDED} {...card} />
}

/** States that a list is empty, or the result of an action. */
export function Outcome({ children, role }: { readonly children: ReactNode; readonly role?: 'status' }) {
  return (
    <p role={role} className="min-h-18 text-fg text-s tabular-nums [&_span]:text-fg-2">
      {children}
    </p>
  )
}

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

/** A form inside a section; Save and Discard appear after a change. */
export function InlineForm({ form: { dialog, changed, reset }, children }: InlineFormProps) {
  const { t } = useTranslation('settings')
  return (
    <form
      noValidate
      className={`grid grid-cols-1 gap-12 ${GRIDDED}`}
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

const ONE = { endpoints: 'endpoint', targets: 'target', connections: 'connection', alerts: 'alert' } as const

interface ListSectionProps<T, W extends string> extends Omit<Items<T, W>, 'say' | 'undo'> {
  readonly of: keyof typeof ONE
  /** Whether the item has secrets: its removal needs a confirmation and cannot be undone. */
  readonly isGuarded: (item: T) => boolean
  readonly putBack: (item: T) => Promise<unknown>
}

/** A list of named items with add, edit (in a dialog) and remove. */
export function ListSection<T extends { readonly name: string }, W extends string = never>(
  props: ListSectionProps<T, W>,
) {
  const { of, isGuarded, putBack, ...list } = props
  const { t } = useTranslation('settings')
  return (
    <ItemCard<T, W>
      {...list}
      id={`settings-${of}`}
      className={GRIDDED}
      title={t(`${of}.title`)}
      text={t(`${of}.text`)}
      add={t(`${of}.add`)}
      {...(of === 'endpoints' ? {} : { none: t(`${of}.none`) })}
      say={(word, named) => t(`${of}.${word}`, named)}
      undo={{ of: ONE[of], takes: (item) => !isGuarded(item), putBack }}
    />
  )
}
