import { useTranslation } from 'react-i18next'
import type { Verdict } from '#contract/delivery.ts'
import { cx } from './cx.ts'
import styles from './verdict-mark.module.css'

/** A sign beside the colour, so that neither colour-blindness nor forced colours take the meaning away. */
export const VERDICT_SIGNS: Readonly<Record<Verdict, string>> = {
  valid: '✓',
  noted: '·',
  warning: '!',
  invalid: '✕',
  unreadable: '?',
}

export interface VerdictMarkProps {
  /** null: not judged yet. */
  readonly verdict: Verdict | null
  /** Leaves the word to assistive technology. */
  readonly signOnly?: boolean
}

export function VerdictMark({ verdict, signOnly = false }: VerdictMarkProps) {
  const { t } = useTranslation()
  const word = t(`verdict.${verdict ?? 'unjudged'}`)
  return (
    <span
      className={cx(
        styles.mark,
        'inline-flex items-baseline min-w-0 text-s whitespace-nowrap',
        verdict === null ? styles.unjudged : styles[verdict],
      )}
    >
      <b aria-hidden="true">{verdict === null ? '…' : VERDICT_SIGNS[verdict]}</b>
      <span className={signOnly ? 'visually-hidden' : 'overflow-hidden text-ellipsis'}>{word}</span>
    </span>
  )
}
