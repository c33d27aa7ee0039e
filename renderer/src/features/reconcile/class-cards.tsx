import { useTranslation } from 'react-i18next'
import type { DocumentClass, ReconciliationSummary } from '#contract/reconcile.ts'
import { cx } from '@/shared/components/cx.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import styles from './class-cards.module.css'
import { CLASS_SIGNS, SHOWN_CLASSES } from './class-marks.ts'

export interface ClassCardsProps {
  readonly counts: ReconciliationSummary['counts']
  /** Captured documents that an incomplete sweep says nothing about. */
  readonly notReached: number
  /** Classes that are shown; empty: all. */
  readonly classes: readonly DocumentClass[]
  readonly onChange: (classes: readonly DocumentClass[]) => void
}

/** How many documents are in each class; pressing one shows that class alone, with Ctrl another beside it. */
export function ClassCards({ counts, notReached, classes, onChange }: ClassCardsProps) {
  const { t } = useTranslation('reconcile')
  const format = useFormat()
  const total = SHOWN_CLASSES.reduce((sum, name) => sum + counts[name], 0)
  const percent = new Intl.NumberFormat(format.locale, { maximumFractionDigits: 1 })
  const press = (name: DocumentClass, more: boolean) => {
    const on = classes.includes(name)
    if (more) onChange(on ? classes.filter((other) => other !== name) : [...classes, name])
    else onChange(on && classes.length === 1 ? [] : [name])
  }
  return (
    <fieldset className="flex flex-wrap gap-6 min-w-0 m-0 p-0 border-0" aria-label={t('summary.classes')}>
      {SHOWN_CLASSES.map((name) => (
        <button
          key={name}
          type="button"
          title={t(`classHint.${name}`)}
          aria-pressed={classes.includes(name)}
          className={cx(styles.card, counts[name] > 0 && styles[name])}
          onClick={(event) => press(name, event.ctrlKey || event.metaKey)}
        >
          <b>{format.number(counts[name])}</b>
          <span>
            <i aria-hidden="true">{CLASS_SIGNS[name]}</i> {t(`class.${name}`)}
          </span>
          <small>
            {t('summary.share', { share: percent.format(total === 0 ? 0 : (counts[name] / total) * 100) })}
          </small>
        </button>
      ))}
      {notReached > 0 ? (
        <div className={styles.card} title={t('summary.notReachedHint')}>
          <b>{format.number(notReached)}</b>
          <span>
            <i aria-hidden="true">…</i> {t('summary.notReached')}
          </span>
          <small>{t('summary.noClass')}</small>
        </div>
      ) : null}
    </fieldset>
  )
}
