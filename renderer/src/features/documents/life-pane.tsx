import { Download, ExternalLink, GitCompare, ListFilter, X } from 'lucide-react'
import type { RefObject } from 'react'
import type { DocumentStep } from '#contract/documents.ts'
import { money } from '#core/json/money.ts'
import { Button } from '@/shared/components/button.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { ScrollRegion } from '@/shared/components/screen.tsx'
import { GroupDot, MarkTags, Tag, VerdictMark } from '@/shared/components/tag.tsx'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import { GapTag, NoCreated, StatusMark, StepChanges, useLife } from '@/shared/documents/step-facts.tsx'
import { useTexts } from '@/shared/i18n/format.ts'
import { useCompare, useExporting } from '@/shared/live/layers.ts'
import { useRoute } from '@/shared/live/route.ts'
import { FAMILY_GROUPS } from './documents-grid.tsx'

export interface LifePaneProps {
  readonly documentKey: string
  readonly onClose: () => void
  readonly ref: RefObject<HTMLElement | null>
}

export function LifePane({ documentKey, onClose, ref }: LifePaneProps) {
  const { t, format } = useTexts(['documents', 'common', 'stream'])
  const { life, absent, refusal } = useLife(documentKey)
  const shown = life?.entry.key === documentKey ? life : null
  const entry = shown?.entry
  const name = entry?.number ?? entry?.documentId ?? documentKey
  const inStream = () => {
    useFilter.getState().set(`doc:${documentKey}`)
    useRoute.getState().go('stream')
  }
  return (
    <section
      ref={ref}
      tabIndex={-1}
      className={cx(
        'flex flex-col min-w-0 min-h-0 bg-panel outline-none border-l border-line',
        'max-[900px]:border-t max-[900px]:border-l-0 max-[900px]:border-line-strong',
      )}
      aria-label={t('life.label', { name })}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        onClose()
      }}
    >
      <header className="flex flex-none flex-wrap items-center gap-x-6 gap-y-4 pt-9 pr-10 pb-9 pl-16 border-b border-line">
        <h2 className="flex items-center gap-8 text-l font-semibold select-text">
          {entry ? <GroupDot group={FAMILY_GROUPS[entry.family]} /> : null}
          <Captured text={name} mono most={80} />
        </h2>
        <div className="flex gap-6 ml-auto">
          <IconButton small label={t('life.inStream')} icon={<ListFilter />} onClick={inStream} />
          <IconButton
            small
            label={t('stream:chosen.export')}
            icon={<Download />}
            onClick={() => useExporting.getState().open({ type: 'document', documentId: documentKey })}
          />
          <IconButton small label={t('life.close')} kbd="Esc" icon={<X />} onClick={onClose} />
        </div>
        {entry ? (
          <p className="flex flex-wrap gap-x-14 gap-y-2 text-fg-2 text-s basis-full">
            <span>{t(`family.${entry.family}`)}</span>
            {entry.party === null ? null : (
              <span>
                <Captured text={entry.party} most={120} />
              </span>
            )}
            {entry.total === null ? null : (
              <span className="code-s tabular-nums [font-variant-ligatures:none] text-fg-2">
                <Captured text={money(entry.total, entry.currency, format.language)} most={60} />
              </span>
            )}
            <span>{t('life.steps', { count: entry.events })}</span>
            {entry.recovered > 0 ? <span>{t('recovered', { count: entry.recovered })}</span> : null}
          </p>
        ) : null}
      </header>
      {absent ? (
        <p className="mx-16 my-12 text-fg-3 text-s">{t('life.gone')}</p>
      ) : (
        <Refused refusal={refusal} />
      )}
      {shown ? (
        <ScrollRegion
          className="flex-1 min-h-0 px-16 pt-14 pb-24 overflow-auto outline-none focus-visible:focus-inset"
          label={t('life.title')}
        >
          {shown.entry.gaps.includes('no-created') ? <NoCreated /> : null}
          <ol>
            {shown.steps.map((step, index) => (
              <LifeStep
                key={step.row.id}
                step={step}
                before={shown.steps.slice(0, index).findLast(({ facts }) => facts !== null)?.row.id ?? null}
              />
            ))}
          </ol>
          {shown.more > 0 ? (
            <p className="mx-16 my-12 text-fg-3 text-s">{t('life.more', { count: shown.more })}</p>
          ) : null}
        </ScrollRegion>
      ) : refusal || absent ? null : (
        <Loading className="flex-1" />
      )}
    </section>
  )
}

export interface LifeStepProps {
  readonly step: DocumentStep
  /** Delivery of the previous event with facts; null for the first. */
  readonly before: number | null
}

export function LifeStep({ step, before }: LifeStepProps) {
  const { t, format } = useTexts(['documents', 'common'])
  const compare = useCompare((s) => s.open)
  const { row, instant, changed, gap } = step
  const apart = row.rejected || row.marks.includes('synthetic')
  return (
    <li
      className={cx(
        'relative pb-18 pl-22 before:absolute before:top-9 before:-bottom-9 before:left-5 before:w-1 last:before:hidden',
        apart
          ? 'before:bg-[repeating-linear-gradient(var(--line-strong)_0_3px,transparent_3px_6px)]'
          : 'before:bg-line-strong',
      )}
    >
      <span className="absolute top-3 left-0 grid place-items-center w-11 h-13 bg-panel" aria-hidden="true">
        <GroupDot group={row.group} />
      </span>
      <p className="flex flex-wrap items-center gap-x-9 gap-y-3">
        <b className={cx('font-medium', apart && 'text-fg-2')}>
          <Captured text={row.event ?? '–'} most={80} />
        </b>
        <VerdictMark verdict={row.verdict} />
        {row.statusId === null ? null : (
          <span className="flex min-w-0 text-s">
            <StatusMark id={row.statusId} />
          </span>
        )}
        <MarkTags marks={row.marks} />
        {row.rejected ? <Tag tone="invalid">{t('common:mark.rejected')}</Tag> : null}
        <GapTag gap={gap} />
      </p>
      <p className="flex flex-wrap gap-x-12 gap-y-0 text-fg-3 text-xs tabular-nums">
        <time
          dateTime={new Date(instant / 1_000).toISOString()}
          title={row.timestamp === null ? undefined : t('life.timestamp', { text: row.timestamp })}
        >
          {format.instant(instant)}
        </time>
        <span title={format.instant(row.receivedAt)}>{t('life.arrived', { when: row.receivedAt })}</span>
        <span>{row.answer === null ? t('life.unanswered') : t('life.answered', { status: row.answer })}</span>
        {row.attempts > 0 ? <span>{t('life.attempts', { count: row.attempts })}</span> : null}
      </p>
      <StepChanges changed={changed} />
      <p className="flex flex-wrap gap-2 -ml-8">
        <Button small variant="quiet" icon={<ExternalLink />} onClick={() => void openDelivery(row.id, null)}>
          {t('life.open', { id: row.id })}
        </Button>
        {before === null ? null : (
          <Button
            small
            variant="quiet"
            icon={<GitCompare />}
            onClick={() => compare({ left: before, right: row.id })}
          >
            {t('life.compare')}
          </Button>
        )}
      </p>
    </li>
  )
}
