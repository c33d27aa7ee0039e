import { Forward as ForwardIcon, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ForwardLane, ForwardState } from '#contract/replay.ts'
import { useAttemptErrorText } from '@/shared/attempts/attempt-words.ts'
import { AttemptsPane } from '@/shared/attempts/attempts-pane.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { ConfirmAction } from '@/shared/components/confirm-action.tsx'
import { cx } from '@/shared/components/cx.ts'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { Figures, type StateTone, StateWord } from '@/shared/components/figures.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { ScrollRegion } from '@/shared/components/screen.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { Switch } from '@/shared/components/toggle.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useNow } from '@/shared/components/use-now.ts'
import { shownUrl } from '@/shared/formats/url.ts'
import { api } from '@/shared/live/api.ts'
import { useReplays } from '@/shared/live/replays.ts'
import { removed } from '@/shared/live/undo.ts'
import { useSpanText, useStallText } from './job-words.ts'

/** A list beside the selected item; stacked in a narrow window. */
export const SPLIT =
  'grid grid-rows-[minmax(0,1fr)] min-h-0 max-[860px]:grid-rows-[minmax(160px,40%)_minmax(0,1fr)] max-[860px]:grid-cols-1'

interface Asked {
  readonly forward: ForwardState
  /** The queue to clear; null: remove the forward. */
  readonly lane: ForwardLane | null
}

/** Whether deliveries wait; removing the forward discards them permanently. */
const waits = ({ lanes }: ForwardState): boolean => lanes.some(({ waiting }) => waiting > 0)

export function ForwardsPart(props: {
  readonly forwards: readonly ForwardState[]
  readonly onEdit: (forward: ForwardState | null) => void
}) {
  const { forwards, onEdit } = props
  const { t } = useTranslation('replays')
  const put = useReplays((s) => s.putForwards)
  const action = useAction()
  const [asked, setAsked] = useState<Asked | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const shown = forwards.find(({ name }) => name === chosen) ?? forwards[0]
  const run = (work: () => Promise<{ readonly forwards: readonly ForwardState[] }>) =>
    action.run(async () => put((await work()).forwards))
  const toggle = (forward: ForwardState, enabled: boolean) => {
    const { lanes: _, ...rest } = forward
    void run(() => api.call('forwards.save', { previousName: forward.name, ...rest, enabled }))
  }
  const remove = async ({ lanes: _, ...rule }: ForwardState) => {
    const { name } = rule
    put((await api.call('forwards.remove', { name })).forwards)
    await removed('forward', { name }, async () => put((await api.call('forwards.save', rule)).forwards))
  }
  const clear = async ({ name }: ForwardState, target: string) => {
    await api.call('forwards.clear', { name, target })
    put((await api.call('forwards.list', {})).forwards)
  }
  if (!shown) {
    return (
      <EmptyState
        icon={<ForwardIcon />}
        title={t('forwards.empty.title')}
        actions={
          <Button data-writes variant="primary" onClick={() => onEdit(null)}>
            {t('forwards.new')}
          </Button>
        }
      >
        <span data-writes>{t('forwards.empty.text')}</span>
      </EmptyState>
    )
  }
  return (
    <div className={cx(SPLIT, 'grid-cols-[minmax(340px,500px)_minmax(0,1fr)]')}>
      <ScrollRegion
        className={cx(
          'min-h-0 overflow-y-auto p-14 border-r border-line',
          'focus-visible:-outline-offset-2 max-[860px]:border-r-0 max-[860px]:border-b',
        )}
        label={t('forwards.list')}
      >
        <Refused refusal={action.refusal} />
        <ul className="grid grid-cols-1 gap-12">
          {forwards.map((forward) => (
            <li
              key={forward.name}
              className={cx(
                'grid grid-cols-1 justify-items-start gap-6 px-14 py-12 border rounded-10 bg-panel [&>*]:max-w-full',
                forward === shown ? 'border-accent' : 'border-line',
              )}
            >
              <div className="flex items-center gap-8 w-full min-h-24">
                <h2 className="min-w-0 overflow-hidden code-heading-m text-ellipsis">{forward.name}</h2>
                {forward.temporary ? (
                  <Tag title={t('forwards.temporaryHint')}>{t('forwards.temporary')}</Tag>
                ) : null}
                <span className="flex-1" />
                <Switch
                  hideLabel
                  label={t('forwards.enabledOf', { name: forward.name })}
                  checked={forward.enabled}
                  onChange={(enabled) => toggle(forward, enabled)}
                />
                <IconButton
                  small
                  label={t('forwards.edit', { name: forward.name })}
                  icon={<Pencil />}
                  onClick={() => onEdit(forward)}
                />
                <IconButton
                  small
                  label={t('forwards.remove', { name: forward.name })}
                  icon={<Trash2 />}
                  onClick={() =>
                    waits(forward)
                      ? setAsked({ forward, lane: null })
                      : void action.run(() => remove(forward))
                  }
                />
              </div>
              <p className="text-fg-2 text-s leading-[1.45] wrap-anywhere [&_code]:text-fg">
                {forward.filter === '' ? (
                  t('forwards.all')
                ) : (
                  <code>
                    <Captured text={forward.filter} />
                  </code>
                )}
              </p>
              <p className="overflow-hidden text-fg-3 text-xs leading-[1.45] text-ellipsis">
                {[
                  t(`forwards.downWords.${forward.whenDown}`),
                  ...(forward.answerFrom === null
                    ? []
                    : [
                        t('forwards.answers', {
                          target: shownUrl(forward.answerFrom),
                          wait: forward.answerTimeoutMs * 1_000,
                        }),
                      ]),
                ].join(' · ')}
              </p>
              <ul className="grid w-full mt-2">
                {forward.lanes.map((lane) => (
                  <LaneRow
                    key={lane.target}
                    lane={lane}
                    onRetry={() => void run(() => api.call('forwards.retry', { name: forward.name }))}
                    onClear={() => setAsked({ forward, lane })}
                  />
                ))}
              </ul>
              {forwards.length > 1 ? (
                <Button
                  small
                  variant="quiet"
                  aria-pressed={forward === shown}
                  onClick={() => setChosen(forward.name)}
                >
                  {t('forwards.showAttempts')}
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      </ScrollRegion>
      <section
        className="flex flex-col min-w-0 min-h-0 bg-panel"
        aria-label={t('forwards.attemptsOf', { name: shown.name })}
      >
        <div className="flex-1 min-h-0">
          <AttemptsPane of={{ forward: shown.name }} />
        </div>
      </section>
      {asked ? (
        <ConfirmAction
          title={t(`forwards.ask.${asked.lane ? 'clear' : 'remove'}`, {
            name: asked.forward.name,
            target: asked.lane ? shownUrl(asked.lane.target) : '',
          })}
          confirmLabel={t(`forwards.confirm.${asked.lane ? 'clear' : 'remove'}`)}
          work={() => (asked.lane ? clear(asked.forward, asked.lane.target) : remove(asked.forward))}
          onClose={() => setAsked(null)}
        >
          {asked.lane
            ? t('forwards.askText.clear', { count: asked.lane.waiting })
            : t('forwards.askText.remove')}
        </ConfirmAction>
      ) : null}
    </div>
  )
}

/** @returns why a queue waits; null when it does not wait or the reason is unknown */
function useWhyItWaits({ state, stall, lastError }: ForwardLane): string | null {
  const stallText = useStallText()
  const errorText = useAttemptErrorText()
  if (state === 'stalled' && stall) return stallText(stall)
  return lastError && (state === 'down' || state === 'refused') ? errorText(lastError) : null
}

const LANE_TONES = {
  sending: 'busy',
  idle: 'good',
  down: 'bad',
  refused: 'bad',
  stalled: 'bad',
  off: 'off',
  standby: 'off',
} as const satisfies Readonly<Record<ForwardLane['state'], StateTone>>

function LaneRow(props: {
  readonly lane: ForwardLane
  readonly onRetry: () => void
  readonly onClear: () => void
}) {
  const { lane, onRetry, onClear } = props
  const { t } = useTranslation('replays')
  const spanText = useSpanText()
  const why = useWhyItWaits(lane)
  const next = lane.state === 'down' ? lane.nextTryAt : null
  const now = useNow(next === null ? null : 1_000)
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
          // Hidden from screen readers, which would announce every second.
          next !== null && next > now && (
            <span aria-hidden="true">{t('lanes.nextTry', { span: spanText((next - now) / 1_000) })}</span>
          ),
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
