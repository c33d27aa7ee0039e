import { GitCompareArrows } from 'lucide-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { STATUSES } from '#catalog/service.ts'
import type { DeliveryDetail, DeliveryRow } from '#contract/delivery.ts'
import type { DocumentStep as Told } from '#contract/documents.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Spinner } from '@/shared/components/spinner.tsx'
import { GroupDot, Tag, VerdictMark } from '@/shared/components/tag.tsx'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import { GapTag, NoCreated, StepChanges } from '@/shared/documents/step-facts.tsx'
import { useLife as useDocument } from '@/shared/documents/use-life.ts'
import { useFormat, useLanguage } from '@/shared/i18n/format.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { useCompare } from '@/shared/live/layers.ts'
import { useRoute } from '@/shared/live/route.ts'
import styles from './document-tab.module.css'
import { spanOf } from './span.ts'
import { filterOfDocument, useLife } from './use-life.ts'

interface DocumentStepProps {
  readonly row: DeliveryRow
  /** It is the one whose details are shown. */
  readonly present: boolean
  /** What it tells of its document; undefined for what has no life of events: contacts, products, quotations. */
  readonly told: Told | undefined
  readonly onOpen: () => void
}

/** One delivery in the life of its document. */
function DocumentStep({ row, present, told, onOpen }: DocumentStepProps) {
  const { t } = useTranslation(['detail', 'common'])
  const format = useFormat()
  const language = useLanguage()
  const meaning = row.statusId === null ? undefined : STATUSES.get(row.statusId)?.[language]
  return (
    <li className={cx(styles.step, 'relative pl-18', present && styles.present)}>
      <button
        type="button"
        aria-current={present ? 'step' : undefined}
        className={cx(
          styles.open,
          'grid gap-2 w-full px-8 py-6 border border-transparent rounded bg-transparent text-fg body-m text-left cursor-default',
        )}
        onClick={onOpen}
      >
        <span className="flex flex-wrap items-center gap-x-8 gap-y-2">
          <GroupDot group={row.group} />
          <span className="font-semibold wrap-anywhere">
            <Captured text={row.kind ?? row.event ?? t('header.noEvent')} most={120} />
          </span>
          {present ? <Tag tone="accent">{t('document.this')}</Tag> : null}
          {row.rejected ? <Tag tone="invalid">{t('common:mark.rejected')}</Tag> : null}
          {row.malformed ? <Tag tone="invalid">{t('common:mark.malformed')}</Tag> : null}
          {row.marks.map((mark) => (
            <Tag key={mark} tone={mark === 'synthetic' ? 'synthetic' : 'neutral'}>
              {t(`common:mark.${mark}`)}
            </Tag>
          ))}
          <GapTag gap={told?.gap ?? null} />
        </span>
        <span className="flex flex-wrap items-center gap-x-8 gap-y-2 text-fg-2 text-s">
          <VerdictMark verdict={row.verdict} />
          {row.statusId === null ? null : (
            <span>
              {t('document.status', { status: row.statusId })}
              {meaning === undefined ? '' : ` · ${meaning}`}
            </span>
          )}
          <span className={cx((row.answer === null || row.answer >= 400) && 'text-invalid')}>
            {row.answer === null ? t('header.noAnswer') : t('header.answered', { status: row.answer })}
          </span>
          {row.attempts > 0 ? <span>{t('document.attempts', { count: row.attempts })}</span> : null}
        </span>
        <span className="text-fg-3 code-xs tabular-nums">
          #{row.id} · {format.day(row.receivedAt)} {format.clock(row.receivedAt)}
        </span>
      </button>
      <StepChanges changed={told?.changed ?? []} />
    </li>
  )
}

export interface DocumentTabProps {
  readonly detail: DeliveryDetail
  readonly documentId: string
}

/** The life of the document as it was captured: every delivery of it in the order of arrival, this one marked. */
export function DocumentTab({ detail, documentId }: DocumentTabProps) {
  const { t } = useTranslation(['detail', 'common'])
  const format = useFormat()
  const refusalText = useRefusalText()
  const life = useLife(documentId)
  const { steps, refusal } = life
  // Only invoices, notes and expenses have a life of events; of all others there is nothing more to tell.
  const key = documentId.toLowerCase()
  const { life: known } = useDocument(key)
  const document = known?.entry.key === key ? known : null
  const number = steps?.findLast((row) => row.number !== null)?.number ?? detail.number
  return (
    <div className="h-full overflow-y-auto pb-12 overscroll-contain">
      <div className="flex items-start gap-12 pt-8 pr-10 pl-14">
        <div className={cx(styles.names, 'flex-1 min-w-0 [&_h3]:m-0 [&_h3]:code-heading-m')}>
          <h3>{number === null ? t('document.untitled') : <Captured text={number} most={80} />}</h3>
          <p>
            <Captured text={documentId} mono most={80} />
            <CopyButton small text={documentId} label={t('document.copyId')} />
          </p>
        </div>
        <Button small onClick={() => useFilter.getState().set(filterOfDocument(documentId))}>
          {t('document.inList')}
        </Button>
      </div>
      {refusal ? (
        <Banner
          tone="error"
          actions={
            <Button small onClick={life.retry}>
              {t('common:retry')}
            </Button>
          }
        >
          {refusalText(refusal)}
        </Banner>
      ) : null}
      {steps === null ? (
        refusal ? null : (
          <div className="grid place-items-center h-120 text-fg-3">
            <Spinner label={t('common:loading')} />
          </div>
        )
      ) : (
        <>
          <p className="mx-14 mt-2 mb-6 text-fg-2 text-s">
            {t(life.more ? 'document.atLeast' : 'document.count', { count: steps.length })}
          </p>
          {document?.entry.gaps.includes('no-created') ? (
            <div className="px-14">
              <NoCreated onReconcile={() => useRoute.getState().go('reconcile')} />
            </div>
          ) : null}
          <ol className="grid px-14" aria-label={t('document.life')}>
            {steps.map((row, index) => {
              const before = steps[index - 1]
              return (
                <Fragment key={row.id}>
                  {before ? (
                    <li
                      className={cx(
                        styles.between,
                        'relative pl-18 flex items-center gap-8 min-h-30 text-fg-3 text-xs',
                      )}
                    >
                      <Button
                        small
                        variant="quiet"
                        icon={<GitCompareArrows />}
                        aria-label={t('document.compareLabel', { left: before.id, right: row.id })}
                        onClick={() => useCompare.getState().open({ left: before.id, right: row.id })}
                      >
                        {t('document.compare')}
                      </Button>
                      <span>
                        {t('document.later', { time: spanOf(row.receivedAt - before.receivedAt, format) })}
                      </span>
                    </li>
                  ) : null}
                  <DocumentStep
                    row={row}
                    present={row.id === detail.id}
                    told={document?.steps.find((step) => step.row.id === row.id)}
                    onOpen={() => void openDelivery(row.id, null)}
                  />
                </Fragment>
              )
            })}
          </ol>
          {life.more ? (
            <div className="mx-14 my-8">
              <Button small onClick={life.load}>
                {t('document.more')}
              </Button>
            </div>
          ) : null}
        </>
      )}
    </div>
  )
}
