import { useTranslation } from 'react-i18next'
import type { DocumentClass, ReconciliationSummary } from '#contract/reconcile.ts'
import { money } from '#core/json/money.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { CLASS_INK, CLASS_SIGNS, type MISSED_CLASSES, SHOWN_CLASSES, useDay } from './row-words.ts'
import { useFound } from './streams-grid.tsx'

const CARD = cx(
  'grid content-center gap-1 min-w-80 p-8 border border-line rounded-8 bg-panel text-fg-2',
  'text-start cursor-default',
  'hover:border-line-strong aria-pressed:border-accent',
  'aria-pressed:[box-shadow:inset_0_0_0_1px_var(--accent)]',
  '[&_b]:heading-xl [&_b]:tabular-nums [&_span]:text-xs [&_i]:not-italic',
  '[&_small]:text-fg-3 [&_small]:text-xs [&_small]:tabular-nums',
)

export interface ClassCardsProps {
  readonly counts: ReconciliationSummary['counts']
  /** Captured documents that an incomplete sweep did not reach. */
  readonly notReached: number
  readonly classes: readonly DocumentClass[]
  readonly onChange: (classes: readonly DocumentClass[]) => void
}

/** Number of documents per class. A click shows one class, Ctrl+click adds another. */
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
          className={CARD}
          onClick={(event) => press(name, event.ctrlKey || event.metaKey)}
        >
          <b className={cx(counts[name] > 0 && (CLASS_INK[name] ?? 'text-fg'))}>
            {format.number(counts[name])}
          </b>
          <span>
            <i aria-hidden="true">{CLASS_SIGNS[name]}</i> {t(`class.${name}`)}
          </span>
          <small>
            {t('summary.share', { share: percent.format(total === 0 ? 0 : (counts[name] / total) * 100) })}
          </small>
        </button>
      ))}
      {notReached > 0 ? (
        <div className={CARD} title={t('summary.notReachedHint')}>
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

/** Documents outside an incomplete sweep, comparisons that ran too early, and fields that differ in all documents. @param zone IANA name */
export function NotReached({ summary, zone }: Pick<StakeBarProps, 'summary' | 'zone'>) {
  const { notReached, unreached, sharedDifferences, joinedByNumber = false, unjudged = 0 } = summary
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
            field,
            count: documents,
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
  readonly zone: string
  readonly chosen: number
  /** Without a selection, the button rebuilds the matching documents of these classes. */
  readonly classes: readonly (typeof MISSED_CLASSES)[number][]
  readonly text: string
  readonly beat: number
  readonly onLetGo: () => void
  readonly onIgnore: () => void
  readonly onRebuild: () => void
}

/** Number and total of the documents that can be rebuilt, and buttons that act on exactly these. */
export function StakeBar(props: StakeBarProps) {
  const { summary, zone, chosen, classes, text, beat, onLetGo, onIgnore, onRebuild } = props
  const { t } = useTranslation('reconcile')
  const format = useFormat()
  const day = useDay(zone)
  const { counts, atStake, firstMissing, lastMissing, ignored, notRecovered, sweep } = summary
  const found = useFound(sweep.id, classes, text, beat)
  const all = classes.reduce((sum, name) => sum + counts[name], 0)
  const count = chosen > 0 ? chosen : text === '' || all === 0 ? all : (found ?? 0)
  const clean = counts.recovered > 0 && notRecovered === 0 && counts.missing === 0
  // An incomplete list cannot prove that nothing is missing.
  const whole = sweep.state === 'complete'
  const between = () => {
    if (firstMissing === null || lastMissing === null) return null
    const [first, last] = [day(firstMissing), day(lastMissing)]
    return first === last ? t('summary.on', { first }) : t('summary.between', { first, last })
  }
  const nothing = () => {
    if (clean) return t(whole ? 'summary.allRecovered' : 'summary.allRecoveredReached')
    return counts.missing > 0 ? null : t(whole ? 'summary.nothing' : 'summary.nothingReached')
  }
  // Sums and dates cover all missing documents: they stand beside their count, and are hidden during a search.
  const stakes = classes.includes('missing') && text === ''
  const issued = stakes ? between() : null
  const parts = [
    ignored > 0 ? t('summary.ignored', { count: ignored }) : null,
    counts.recovered > 0 ? t('summary.recovered', { count: counts.recovered }) : null,
  ].filter((part) => part !== null)
  const left = (name: StakeBarProps['classes'][number]) =>
    counts[name] === 0 ? null : <b key={name}>{t(`summary.left.${name}`, { count: counts[name] })}</b>
  return (
    <footer
      className={cx(
        'flex flex-wrap items-center gap-x-8 gap-y-6 min-h-bar px-12 py-7 border-t border-line bg-panel',
        'text-m',
        '[&_p]:flex [&_p]:flex-[1_1_420px] [&_p]:flex-wrap [&_p]:items-baseline [&_p]:gap-x-14',
        '[&_p]:gap-y-2 [&_p]:min-w-0 [&_p]:text-fg-2',
        '[&_b]:text-fg [&_b]:font-semibold',
      )}
    >
      {chosen > 0 ? (
        <p>
          <b>{t('grid.chosen', { count: chosen })}</b>{' '}
          <Button small variant="quiet" onClick={onLetGo}>
            {t('grid.letGo')}
          </Button>
        </p>
      ) : (
        <p>
          {nothing() === null ? null : <b className={cx(clean && 'text-valid!')}>{nothing()}</b>}
          {text === '' ? null : <b>{t('summary.found', { count })}</b>}
          {stakes ? left('missing') : null}
          {(stakes ? atStake : []).map(({ currency, amount }) => (
            <span key={currency} title={t('summary.stake')} className="text-fg code-s-medium tabular-nums">
              {money(amount, currency, format.language)}
            </span>
          ))}
          {issued === null ? null : <span>{issued}</span>}
          {text === '' ? classes.filter((name) => name !== 'missing').map(left) : null}
          {parts.map((part) => (
            <span key={part}>{part}</span>
          ))}
        </p>
      )}
      {chosen > 0 ? (
        <Button data-writes onClick={onIgnore}>
          {t('actions.ignore')}
        </Button>
      ) : null}
      <Button
        data-writes
        variant={count === 0 ? 'default' : 'primary'}
        disabled={count === 0}
        onClick={onRebuild}
      >
        {count === 0 ? t('actions.rebuild') : t('actions.rebuildSome', { count })}
      </Button>
    </footer>
  )
}
