import { type Kind, kindSpec } from '#catalog/kinds.ts'
import type { CommandName, Params, Result } from '#contract/commands.ts'
import type { DriftEvent } from '#contract/drift.ts'
import { factWords } from '#core/drift/report.ts'
import { Captured } from '@/shared/components/captured.tsx'
import { DataGrid, useHeldRows } from '@/shared/components/data-grid.tsx'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { GroupDot, Tag } from '@/shared/components/tag.tsx'
import { list } from '@/shared/deliveries/list.ts'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import { deliveryActions } from '@/shared/deliveries/value-actions.ts'
import { useTexts } from '@/shared/i18n/format.ts'
import { type Answer, useAnswer, useGathered } from '@/shared/live/answer.ts'
import { api, host } from '@/shared/live/api.ts'

const FAINT = 'text-fg-3 text-s tabular-nums'
const NONE: readonly DriftEvent[] = []
/** The host gives no more at a time; an export has all. */
const MOST = 1_000

const keyOf = ({ at, deliveryId, kind, code, place, now }: DriftEvent): string =>
  `${at} ${deliveryId} ${kind} ${code} ${place} ${now?.type} ${now?.format}`

export interface EventListProps {
  readonly kind: Kind | null
  /** Microseconds; drifts of later deliveries are new. */
  readonly since: number
  readonly learning: boolean
}

export function EventList({ kind, since, learning }: EventListProps) {
  const { t, format, language } = useTexts('drift')
  const asked = { from: 0, limit: MOST }
  const { data, refusal } = useDrift('drift.events', kind === null ? asked : { kind, ...asked })
  const rows = useHeldRows(data?.events ?? NONE, data?.total)
  if (refusal) return <Refused refusal={refusal} />
  if (!data) return null
  if (data.total === 0)
    return (
      <EmptyState title={t('noEvents.title')}>
        {t(learning ? 'noEvents.learning' : 'noEvents.learned')}
      </EmptyState>
    )
  return (
    <div className="grid flex-1 grid-rows-[auto_minmax(0,1fr)] grid-cols-1 min-h-0">
      <p className="px-12 pt-10 pb-4 text-fg-3 text-s">{t('eventsOf', { count: data.total })}</p>
      <DataGrid
        label={t('events')}
        className="[--gap:12px] [--least:420px]"
        rowPx={52}
        rows={rows}
        keyOf={keyOf}
        begin={null}
        open={null}
        onOpen={(key) => {
          const id = data.events.find((event) => keyOf(event) === key)?.deliveryId
          if (id) void openDelivery(id, null)
        }}
        menu={({ deliveryId }) => (deliveryId === null ? [] : [deliveryActions(deliveryId, false)])}
        columns={[
          {
            id: 'what',
            track: 'minmax(0, 1fr)',
            cell: (event) => ({
              className: 'grid grid-cols-1 gap-2',
              content: (
                <>
                  <span className="flex items-center gap-10 min-w-0">
                    {kind === null ? (
                      <span className="flex flex-none items-center gap-7">
                        <GroupDot group={kindSpec(event.kind)?.group ?? null} />
                        {event.kind}
                      </span>
                    ) : null}
                    <span className="truncate" title={event.place}>
                      <Captured text={event.place} mono most={300} />
                    </span>
                    {event.at > since ? <Tag tone="accent">{t('new')}</Tag> : null}
                  </span>
                  <span className="truncate text-fg-2 text-s">
                    {factWords(event, language)}
                    <small className="ml-10 text-fg-3 text-xs">
                      {t('seenBefore', { count: event.seen, when: event.since })}
                    </small>
                  </span>
                </>
              ),
            }),
          },
          {
            id: 'delivery',
            track: 'max-content',
            cell: ({ deliveryId }) => ({
              className: FAINT,
              content: deliveryId === null ? t('gone') : `#${deliveryId}`,
            }),
          },
          {
            id: 'time',
            track: 'max-content',
            end: true,
            cell: ({ at }) => ({
              className: FAINT,
              content: <time title={format.instant(at)}>{format.moment(at)}</time>,
            }),
          },
        ]}
      />
    </div>
  )
}

/** Refresh interval while deliveries arrive. */
const RENEW_MS = 2_000
/** Delay before a new drift is shown; bursts are combined. */
const NEWS_MS = 150

type Question = Exclude<CommandName & `drift.${string}`, 'drift.reset'>

const news = (tell: () => void) =>
  host().onPush(({ push }) => {
    if (push === 'drift.changed' || push === 'store.reset') tell()
  })

/** A drift query's result, refreshed while deliveries arrive. */
export function useDrift<C extends Question>(command: C, params: Params<C>): Answer<Result<C>> {
  const answer = useAnswer(JSON.stringify([command, params]), () => api.call(command, params))
  useGathered(list.subscribe, RENEW_MS, answer.renew)
  useGathered(news, NEWS_MS, answer.renew)
  return answer
}
