import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Group } from '#catalog/kinds.ts'
import type { DeliveryRow, Verdict } from '#contract/delivery.ts'
import { cx } from './cx.ts'

/** A 7 px dot in a group's colour; decorative, since the kind's name says the same. Hollow: no known group. */
export function GroupDot({ group }: { readonly group: Group | null }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'inline-block flex-none rounded-2 forced-color-adjust-none size-7',
        group === null && '[box-shadow:inset_0_0_0_1px_var(--line-strong)]',
      )}
      style={group === null ? undefined : { background: `var(--g-${group})` }}
    />
  )
}

export const VERDICT_INK: Readonly<Record<Verdict, string>> = {
  test: 'text-fg-3',
  valid: 'text-valid',
  noted: 'text-noted',
  warning: 'text-warning',
  invalid: 'text-invalid',
  unreadable: 'text-unreadable',
}

/** A sign beside the colour, so that colour-blind users and forced colours keep the meaning. */
export const VERDICT_SIGNS: Readonly<Record<Verdict, string>> = {
  test: '↔',
  valid: '✓',
  noted: '·',
  warning: '!',
  invalid: '✕',
  unreadable: '?',
}

export interface VerdictMarkProps {
  /** null: not analysed yet. */
  readonly verdict: Verdict | null
  /** Shows the sign only; the word is for assistive technology. */
  readonly signOnly?: boolean
}

export function VerdictMark({ verdict, signOnly = false }: VerdictMarkProps) {
  const { t } = useTranslation()
  const word = t(`verdict.${verdict ?? 'unjudged'}`)
  return (
    <span
      className={cx(
        'inline-flex items-baseline min-w-0 text-s whitespace-nowrap [&_b]:flex-none [&_b]:w-15 [&_b]:font-bold',
        verdict === null ? 'text-fg-3' : VERDICT_INK[verdict],
      )}
    >
      <b aria-hidden="true">{verdict === null ? '…' : VERDICT_SIGNS[verdict]}</b>
      <span className={signOnly ? 'visually-hidden' : 'overflow-hidden text-ellipsis'}>{word}</span>
    </span>
  )
}

const TONES = {
  neutral: 'border-line-strong text-fg-3',
  synthetic: 'border-current text-synthetic',
  invalid: 'border-current text-invalid',
  warning: 'border-current text-warning',
  accent: 'border-current text-accent-text',
} as const

export interface TagProps {
  readonly tone?: keyof typeof TONES
  readonly title?: string
  readonly children: ReactNode
}

export function Tag({ tone = 'neutral', title, children }: TagProps) {
  return (
    <span
      className={cx(
        'inline-block px-4 py-1 border rounded-4 whitespace-nowrap [font:10px_/_1.2_var(--font-ui)]',
        TONES[tone],
      )}
      title={title}
    >
      {children}
    </span>
  )
}

/** The marks of a delivery as tags, except the pin, which has a button. */
export function MarkTags({ marks }: { readonly marks: DeliveryRow['marks'] }) {
  const { t } = useTranslation()
  return marks.map((mark) =>
    mark === 'pinned' ? null : (
      <Tag key={mark} tone={mark === 'synthetic' ? 'synthetic' : 'neutral'}>
        {t(`mark.${mark}`)}
      </Tag>
    ),
  )
}
