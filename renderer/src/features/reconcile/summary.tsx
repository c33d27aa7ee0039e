import { useTranslation } from 'react-i18next'
import type { DocumentClass, ReconciliationSummary } from '#contract/reconcile.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { useFoot } from '@/shared/components/notices.ts'
import { grouped } from '@/shared/formats/money.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import cards from './class-cards.module.css'
import styles from './reconcile.module.css'
import { CLASS_SIGNS, MISSED_CLASSES, SHOWN_CLASSES, useDay } from './row-words.ts'

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
          className={cx(cards.card, counts[name] > 0 && cards[name])}
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
        <div className={cards.card} title={t('summary.notReachedHint')}>
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

/** What an incomplete sweep, or one compared too early, says nothing about, and fields that differ everywhere. @param zone IANA name */
export function NotReached({
  summary: { notReached, unreached, sharedDifferences, joinedByNumber = false, unjudged = 0 },
  zone,
}: {
  readonly summary: ReconciliationSummary
  readonly zone: string
}) {
  const { t } = useTranslation('reconcile')
  const day = useDay(zone)
  const [first, last] = [unreached[0], unreached.at(-1)]
  return (
    <>
      {first && last ? (
        <p className="basis-full text-warning text-s leading-[1.45]">
          {t('summary.unreached', { count: notReached, from: day(first.from), to: day(last.to) })}
        </p>
      ) : null}
      {sharedDifferences.map(({ field, documents, captured, service }) => (
        <p key={field} className="basis-full text-fg-2 text-s leading-[1.45] wrap-anywhere">
          {t('summary.shared', {
            ...{ field, count: documents },
            captured: captured ?? t('document.absent'),
            service: service ?? t('document.absent'),
          })}
        </p>
      ))}
      {joinedByNumber ? (
        <p className="basis-full text-fg-2 text-s leading-[1.45] wrap-anywhere">{t('summary.byNumber')}</p>
      ) : null}
      {unjudged > 0 ? (
        <p className="basis-full text-warning text-s leading-[1.45]">
          {t('summary.unjudged', { count: unjudged })}
        </p>
      ) : null}
    </>
  )
}

export interface StakeBarProps {
  readonly summary: ReconciliationSummary
  /** IANA name: whose days are shown. */
  readonly zone: string
  /** Documents chosen. */
  readonly chosen: number
  readonly onLetGo: () => void
  readonly onIgnore: () => void
  readonly onRebuild: () => void
}

/** What the missing documents amount to, and what can be done about them. */
export function StakeBar({ summary, zone, chosen, onLetGo, onIgnore, onRebuild }: StakeBarProps) {
  const { t } = useTranslation('reconcile')
  const format = useFormat()
  const day = useDay(zone)
  const foot = useFoot<HTMLElement>()
  const { counts, atStake, firstMissing, lastMissing, ignored, recovered, notRecovered } = summary
  const clean = recovered > 0 && notRecovered === 0
  // An incomplete list cannot prove that nothing is missing.
  const whole = summary.sweep.state === 'complete'
  const missed = MISSED_CLASSES.reduce((sum, name) => sum + counts[name], 0)
  const between = () => {
    if (firstMissing === null || lastMissing === null) return null
    const [first, last] = [day(firstMissing), day(lastMissing)]
    return first === last ? t('summary.on', { first }) : t('summary.between', { first, last })
  }
  const parts = [
    clean ? null : between(),
    ignored > 0 ? t('summary.ignored', { count: ignored }) : null,
    recovered > 0 ? t('summary.recovered', { count: recovered }) : null,
    // It counts documents of both classes that lack something, beside a sum of the missing ones.
    recovered > 0
      ? t(notRecovered > 0 && counts.differs > 0 ? 'summary.notRecoveredDiffer' : 'summary.notRecovered', {
          count: notRecovered,
        })
      : null,
  ].filter((part) => part !== null)
  return (
    <footer ref={foot} className={styles.stake}>
      {chosen > 0 ? (
        <p>
          <b>{t('grid.chosen', { count: chosen })}</b>{' '}
          <Button small variant="quiet" onClick={onLetGo}>
            {t('grid.letGo')}
          </Button>
        </p>
      ) : (
        <p>
          {clean ? (
            <b className={styles.clean}>
              {t(whole ? 'summary.allRecovered' : 'summary.allRecoveredReached')}
            </b>
          ) : null}
          {clean && counts.missing > 0 ? (
            <span>{t('summary.stillMissing', { count: counts.missing })}</span>
          ) : clean ? null : (
            <b>
              {counts.missing > 0
                ? t('summary.missing', { count: counts.missing })
                : t(whole ? 'summary.nothing' : 'summary.nothingReached')}
            </b>
          )}
          {(clean ? [] : atStake).map(({ currency, amount }) => (
            <span key={currency} title={t('summary.stake')} className="text-fg code-s-medium tabular-nums">
              {currency} {grouped(amount, format.locale)}
            </span>
          ))}
          {parts.map((part) => (
            <span key={part}>{part}</span>
          ))}
        </p>
      )}
      <span className="flex-1" />
      {chosen > 0 ? <Button onClick={onIgnore}>{t('actions.ignore')}</Button> : null}
      <Button variant={clean ? 'default' : 'primary'} disabled={missed === 0} onClick={onRebuild}>
        {t(chosen > 0 ? 'actions.rebuild' : 'actions.rebuildClasses')}
      </Button>
    </footer>
  )
}
