import { useTranslation } from 'react-i18next'
import type { Verdict } from '#contract/delivery.ts'
import { cx } from '@/shared/components/cx.ts'
import { VERDICT_SIGNS } from '@/shared/components/verdict-mark.tsx'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { useSummary } from '@/shared/deliveries/summary.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { valuesOf, withValues } from '@/shared/live/filter-edit.ts'
import styles from './filter-bar.module.css'

/** Worst first: what one looks for. `valid` is what remains. */
const CHIPS: readonly Verdict[] = ['unreadable', 'invalid', 'warning', 'noted', 'valid']

/** Verdicts as switches of the filter, with how many of each there are. */
export function VerdictChips() {
  const { t } = useTranslation(['stream', 'common'])
  const format = useFormat()
  const summary = useSummary((s) => s.summary)
  const { text, set } = useFilter()
  const chosen = valuesOf(text, 'verdict')
  return (
    <fieldset aria-label={t('chips.label')} className={styles.chips}>
      {CHIPS.map((verdict) => {
        const count = summary?.verdicts[verdict] ?? 0
        const on = chosen.includes(verdict)
        const word = t(`common:verdict.${verdict}`)
        const name = t('chips.toggle', { verdict: word, count })
        return (
          <button
            key={verdict}
            type="button"
            aria-pressed={on}
            aria-label={name}
            title={name}
            className={cx(styles.chip, styles[verdict], on && styles.on, count === 0 && styles.zero)}
            onClick={() => {
              const values = on ? chosen.filter((v) => v !== verdict) : [...chosen, verdict]
              set(withValues(text, 'verdict', values))
            }}
          >
            <b aria-hidden="true">{VERDICT_SIGNS[verdict]}</b>
            {format.compact(count)}
          </button>
        )
      })}
    </fieldset>
  )
}
