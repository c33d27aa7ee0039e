import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ForwardLane } from '#contract/replay.ts'
import { useAttemptErrorText } from '@/shared/attempts/attempt-words.ts'
import { Button } from '@/shared/components/button.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { Figures } from '@/shared/components/figures.tsx'
import { type StateTone, StateWord } from '@/shared/components/state-word.tsx'
import { shownUrl } from '@/shared/formats/url.ts'
import { useSpanText, useStallText } from './job-words.ts'

/** Seconds until a moment, as they go by; null when there is none or it has passed. */
function useSecondsUntil(at: number | null): number | null {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (at === null) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [at])
  return at === null || at <= now ? null : (at - now) / 1_000
}

/** @returns why a queue waits; null when it does not wait, or the reason is unknown */
function useWhyItWaits(): (lane: ForwardLane) => string | null {
  const stallText = useStallText()
  const errorText = useAttemptErrorText()
  return ({ state, stall, lastError }) => {
    if (state === 'stalled' && stall) return stallText(stall)
    return lastError && (state === 'down' || state === 'refused') ? errorText(lastError) : null
  }
}

const LANE_TONES = {
  sending: 'busy',
  idle: 'good',
  down: 'bad',
  refused: 'bad',
  stalled: 'bad',
  off: 'off',
} as const satisfies Readonly<Record<ForwardLane['state'], StateTone>>

export interface LaneRowProps {
  readonly lane: ForwardLane
  readonly onRetry: () => void
  readonly onClear: () => void
}

export function LaneRow({ lane, onRetry, onClear }: LaneRowProps) {
  const { t } = useTranslation('replays')
  const spanText = useSpanText()
  const why = useWhyItWaits()(lane)
  const wait = useSecondsUntil(lane.state === 'down' ? lane.nextTryAt : null)
  const { waiting, sent, failed, dropped } = lane
  const counted = (what: 'waiting' | 'sent' | 'failed' | 'dropped', count: number) =>
    t(`lanes.${what}`, { count })
  return (
    <li className="grid grid-cols-1 gap-3 py-7 border-t border-line-soft">
      <div className="flex items-center gap-8 w-full min-h-24">
        <StateWord tone={LANE_TONES[lane.state]}>{t(`lanes.state.${lane.state}`)}</StateWord>
        <b className="min-w-0 code-s-medium truncate">{shownUrl(lane.target)}</b>
        <span className="flex-1" />
        <Button small disabled={lane.state !== 'down'} onClick={onRetry}>
          {t('lanes.retry')}
        </Button>
        <Button small variant="quiet" disabled={waiting === 0} onClick={onClear}>
          {t('lanes.clear')}
        </Button>
      </div>
      <Figures
        facts={[
          <span key="waiting" className={waiting > 0 ? 'text-warning' : undefined}>
            {counted('waiting', waiting)}
          </span>,
          counted('sent', sent),
          failed > 0 && <span className="text-invalid">{counted('failed', failed)}</span>,
          dropped > 0 && <span className="text-invalid">{counted('dropped', dropped)}</span>,
          lane.downSince !== null && t('lanes.downSince', { when: lane.downSince * 1_000 }),
          // The countdown is not read out: a screen reader would say nothing else.
          wait !== null && <span aria-hidden="true">{t('lanes.nextTry', { span: spanText(wait) })}</span>,
        ]}
      />
      {why === null ? null : (
        <p className="text-fg-2 text-s leading-[1.45] wrap-anywhere">
          <Captured text={why} />
        </p>
      )}
    </li>
  )
}
