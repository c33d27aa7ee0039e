import { useState } from 'react'
import { type Kind, kindSpec } from '#catalog/kinds.ts'
import type { CommandName, Params, Result } from '#contract/commands.ts'
import type { DriftEvent } from '#contract/drift.ts'
import { factWords } from '#core/drift/report.ts'
import { Button } from '@/shared/components/button.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { ScrollRegion } from '@/shared/components/screen.tsx'
import { GroupDot } from '@/shared/components/tag.tsx'
import { list } from '@/shared/deliveries/list.ts'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import { useTexts } from '@/shared/i18n/format.ts'
import { type Answer, useAnswer, useGathered } from '@/shared/live/answer.ts'
import { api, host } from '@/shared/live/api.ts'

const LINE = 'flex flex-wrap items-center gap-x-10 gap-y-2 min-w-0 wrap-anywhere'
const STEP = 200
const MOST = 1_000

export interface EventListProps {
  readonly kind: Kind | null
  /** Microseconds; drifts of later deliveries are new. */
  readonly since: number
  readonly learning: boolean
}

export function EventList({ kind, since, learning }: EventListProps) {
  const { t } = useTexts('drift')
  const [limit, setLimit] = useState(STEP)
  const asked = kind === null ? { from: 0, limit } : { kind, from: 0, limit }
  const { data, refusal } = useDrift('drift.events', asked)
  if (refusal) return <Refused refusal={refusal} />
  if (!data) return null
  if (data.total === 0)
    return (
      <EmptyState title={t('noEvents.title')}>
        {t(learning ? 'noEvents.learning' : 'noEvents.learned')}
      </EmptyState>
    )
  return (
    <ScrollRegion
      className="flex-1 min-h-0 overflow-auto outline-none focus-visible:focus-inset"
      label={t('events')}
    >
      <p className="mx-14 mt-10 mb-4 text-fg-3 text-s">{t('eventsOf', { count: data.total })}</p>
      <ol>
        {data.events.map((event) => (
          <Item
            key={`${event.at} ${event.deliveryId} ${event.kind} ${event.code} ${event.place} ${event.now?.type} ${event.now?.format}`}
            event={event}
            named={kind === null}
            fresh={event.at > since}
          />
        ))}
      </ol>
      {data.events.length < data.total && limit < MOST ? (
        <Button className="mx-14 my-10" onClick={() => setLimit(Math.min(MOST, limit + STEP))}>
          {t('more')}
        </Button>
      ) : null}
    </ScrollRegion>
  )
}

function Item(props: { readonly event: DriftEvent; readonly named: boolean; readonly fresh: boolean }) {
  const { event, named, fresh } = props
  const { t, format, language } = useTexts('drift')
  const { kind, place, deliveryId, at, seen, since } = event
  return (
    <li
      className={cx(
        'grid grid-cols-[minmax(0,1fr)_auto] gap-x-12 gap-y-2 px-14 py-7 border-b border-line-soft',
        '[content-visibility:auto] [contain-intrinsic-size:auto_52px]',
        'max-[760px]:grid-cols-1',
        fresh &&
          'shadow-[inset_2px_0_var(--accent)] forced-colors:border-l-2 forced-colors:border-l-[Highlight]',
      )}
    >
      <p className={LINE}>
        {named ? (
          <span className="inline-flex items-center gap-7">
            <GroupDot group={kindSpec(kind)?.group ?? null} />
            {kind}
          </span>
        ) : null}
        <Captured text={place} mono most={300} />
      </p>
      <p className={cx(LINE, 'col-[1] text-fg-2 text-s [&_small]:text-fg-3 [&_small]:text-xs')}>
        {factWords(event, language)}
        <small>{t('seenBefore', { count: seen, when: since })}</small>
      </p>
      <p
        className={cx(
          'row-span-2 row-start-1 col-start-2 flex flex-row-reverse items-center gap-x-10 gap-y-2 min-w-0 wrap-anywhere',
          'text-fg-3 text-s tabular-nums whitespace-nowrap',
          'max-[760px]:[grid-area:auto] max-[760px]:flex-row max-[760px]:flex-wrap max-[760px]:whitespace-normal',
        )}
      >
        <time title={format.instant(at)}>{format.moment(at)}</time>
        {deliveryId === null ? (
          <span>{t('gone')}</span>
        ) : (
          <Button variant="quiet" small onClick={() => void openDelivery(deliveryId, null)}>
            {t('open', { id: deliveryId })}
          </Button>
        )}
      </p>
    </li>
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
