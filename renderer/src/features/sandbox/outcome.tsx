import { useTranslation } from 'react-i18next'
import type { SandboxOutcome } from '#contract/sandbox.ts'
import { cx } from '@/shared/components/cx.ts'
import styles from './outcome.module.css'

/** A sign beside the colour: neither colour-blindness nor forced colours may take the meaning away. */
const LOOKS: Readonly<
  Record<SandboxOutcome, readonly [sign: string, tone: 'good' | 'bad' | 'mild' | 'none']>
> = {
  delivered: ['✓', 'good'],
  refused: ['✕', 'bad'],
  failed: ['✕', 'bad'],
  'timed-out': ['✕', 'bad'],
  cut: ['✕', 'bad'],
  lost: ['○', 'mild'],
  'not-dispatched': ['–', 'none'],
}

export interface OutcomeMarkProps {
  readonly outcome: SandboxOutcome
  /** How many, in front of the word. */
  readonly count?: string
}

export function OutcomeMark({ outcome, count }: OutcomeMarkProps) {
  const { t } = useTranslation('sandbox')
  const [sign, tone] = LOOKS[outcome]
  return (
    <span className={cx(styles.mark, styles[tone])}>
      <b aria-hidden="true">{sign}</b>
      {count === undefined ? null : `${count} `}
      {/* The only cause for an event not to be dispatched at all is the plan. */}
      {t(outcome === 'not-dispatched' ? 'outcome.plan' : `outcome.${outcome}`)}
    </span>
  )
}
