import { GitCompareArrows } from 'lucide-react'
import { Fragment, useCallback, useState } from 'react'
import type { DeliveryDetail, DeliveryRow } from '#contract/delivery.ts'
import type { DocumentStep as Told } from '#contract/documents.ts'
import { spanText } from '#core/time/duration.ts'
import { Button } from '@/shared/components/button.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Loading } from '@/shared/components/loading.tsx'
import { Unread } from '@/shared/components/refused.tsx'
import { GroupDot, Tag, VerdictMark } from '@/shared/components/tag.tsx'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import {
  GapTag,
  NoCreated,
  StatusMark,
  StepChanges,
  useLife as useDocument,
} from '@/shared/documents/step-facts.tsx'
import { type Format, useTexts } from '@/shared/i18n/format.ts'
import { useAnswer, useGathered } from '@/shared/live/answer.ts'
import { api, host } from '@/shared/live/api.ts'
import { useCompare } from '@/shared/live/layers.ts'

/** A vertical line with a mark per delivery. */
const LINE =
  'relative pl-18 before:absolute before:top-0 before:bottom-0 before:left-4 before:w-1 before:bg-line'
const MARK =
  'first:before:top-15 last:before:bottom-[calc(100%_-_15px)] after:absolute after:top-11 after:left-0 after:border after:rounded-full after:size-9'

interface DocumentStepProps {
  readonly row: DeliveryRow
  readonly present: boolean
  /** Its facts about the document; undefined for kinds without a document life: contacts, products, quotations. */
  readonly told: Told | undefined
  readonly onOpen: () => void
}

const laterBy = (us: number, format: Format): string =>
  us < 1_000_000 ? format.duration(Math.max(0, us)) : spanText(us / 1_000_000)

function DocumentStep({ row, present, told, onOpen }: DocumentStepProps) {
  const { t, format } = useTexts(['detail', 'common'])
  return (
    <li
      className={cx(
        LINE,
        MARK,
        present ? 'after:border-accent after:bg-accent' : 'after:border-fg-3 after:bg-panel',
      )}
    >
      <button
        type="button"
        aria-current={present ? 'step' : undefined}
        className={cx(
          'grid gap-2 w-full px-8 py-6 border rounded text-fg body-m text-left cursor-default focus-visible:-outline-offset-1',
          // Tags and other faint text lack contrast on this background.
          present
            ? '[--text-3:var(--text-2)] border-line bg-selected forced-colors:border-2 forced-colors:border-[Highlight]'
            : 'border-transparent bg-transparent hover:bg-hover',
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
          {row.statusId === null ? null : <StatusMark id={row.statusId} />}
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

/** The document's life: all its deliveries in order of arrival, with this one marked. */
export function DocumentTab(props: { readonly detail: DeliveryDetail; readonly documentId: string }) {
  const { detail, documentId } = props
  const { t, format } = useTexts(['detail', 'common'])
  const life = useLife(documentId)
  const { steps, refusal } = life
  // Only invoices, notes and expenses have a document life.
  const key = documentId.toLowerCase()
  const { life: known } = useDocument(key)
  const document = known?.entry.key === key ? known : null
  const number = steps?.findLast((row) => row.number !== null)?.number ?? detail.number
  return (
    <div className="h-full overflow-y-auto pb-12 overscroll-contain">
      <div className="flex items-start gap-12 pt-8 pr-10 pl-14">
        <div className="flex-1 min-w-0">
          <h3 className="code-heading-m">
            {number === null ? t('document.untitled') : <Captured text={number} most={80} />}
          </h3>
          <p className="flex items-center gap-2 text-fg-3 text-s">
            <Captured text={documentId} mono most={80} />
            <CopyButton small text={documentId} label={t('document.copyId')} />
          </p>
        </div>
        <Button small onClick={() => useFilter.getState().set(filterOfDocument(documentId))}>
          {t('document.inList')}
        </Button>
      </div>
      <Unread refusal={refusal} onRetry={life.retry} />
      {steps === null ? (
        refusal ? null : (
          <Loading className="h-120" />
        )
      ) : (
        <>
          <p className="mx-14 mt-2 mb-6 text-fg-2 text-s">
            {t(life.more ? 'document.atLeast' : 'document.count', { count: steps.length })}
          </p>
          {document?.entry.gaps.includes('no-created') ? (
            <div className="px-14">
              <NoCreated />
            </div>
          ) : null}
          <ol className="grid px-14" aria-label={t('document.life')}>
            {steps.map((row, index) => {
              const before = steps[index - 1]
              return (
                <Fragment key={row.id}>
                  {before ? (
                    <li className={cx(LINE, 'flex items-center gap-8 min-h-30 text-fg-3 text-xs')}>
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
                        {t('document.later', { time: laterBy(row.receivedAt - before.receivedAt, format) })}
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

/** Deliveries of a document per request; few documents have more. */
const PAGE = 200
/** Debounce of arrivals. */
const PAUSE_MS = 150

/** Filter for a document's deliveries. A filter cannot contain a quote, and no UUID has one. */
export const filterOfDocument = (documentId: string): string => `doc:"${documentId.replaceAll('"', '')}"`

async function read(documentId: string, wanted: number): Promise<{ steps: DeliveryRow[]; more: boolean }> {
  const filter = filterOfDocument(documentId)
  const steps: DeliveryRow[] = []
  for (;;) {
    const after = steps.at(-1)?.id ?? null
    const { rows } = await api.call('deliveries.scan', { filter, after, limit: PAGE })
    steps.push(...rows)
    if (rows.length < PAGE) return { steps, more: false }
    if (steps.length >= wanted) return { steps, more: true }
  }
}

export function useLife(documentId: string) {
  const [wanted, setWanted] = useState(PAGE)
  const { data, refusal, renew } = useAnswer(documentId, () => read(documentId, wanted), wanted)
  const changes = useCallback(
    (tell: () => void) =>
      host().onPush(({ push, payload }) => {
        if (push === 'store.reset') tell()
        if (push !== 'deliveries.changed') return
        const key = documentId.toLowerCase()
        if (payload.skipped > 0 || payload.rows.some((row) => row.documentId?.toLowerCase() === key)) tell()
      }),
    [documentId],
  )
  useGathered(changes, PAUSE_MS, renew)
  return {
    steps: data?.steps ?? null,
    more: data?.more ?? false,
    refusal,
    load: () => setWanted((now) => now + PAGE),
    retry: renew,
  }
}
