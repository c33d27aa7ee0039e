import { Pause, Play, Square } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Sweep } from '#contract/reconcile.ts'
import { spanText } from '#core/time/duration.ts'
import { ImportedTag } from '@/shared/attempts/attempt-mark.tsx'
import { useProblemText } from '@/shared/attempts/attempt-words.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Figures, type StateTone, StateWord } from '@/shared/components/figures.tsx'
import { Progress } from '@/shared/components/progress.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { reachedShare, usePace, useSweeps } from './sweeps.ts'

const NOTE = 'text-fg-2 text-s leading-[1.45]'

export const SWEEP_TONES = {
  running: 'busy',
  complete: 'good',
  paused: 'wary',
  incomplete: 'wary',
  failed: 'bad',
  cancelled: 'off',
} as const satisfies Readonly<Record<Sweep['state'], StateTone>>

const ICONS = { pause: <Pause />, resume: <Play />, cancel: <Square /> } as const
type SweepAction = keyof typeof ICONS

const actionsOf = ({ state }: Sweep): readonly SweepAction[] => {
  if (state === 'running') return ['pause', 'cancel']
  if (state === 'paused') return ['resume', 'cancel']
  return state === 'incomplete' || state === 'failed' ? ['resume'] : []
}

export function SweepState({ sweep }: { readonly sweep: Sweep }) {
  const { t } = useTranslation('reconcile')
  const format = useFormat()
  const problemText = useProblemText()
  const action = useAction()
  const followed = useSweeps((s) => s.followed.has(sweep.id))
  const { id, range, state, problems } = sweep
  const pace = usePace(sweep)
  const running = state === 'running'
  const going = running || state === 'paused'
  const act = (what: SweepAction) =>
    void action.run(async () => useSweeps.getState().receive([await api.call(`sweeps.${what}`, { id })]))
  const figures = [
    sweep.connection,
    t(`form.routes.${range.route}`),
    <code key="range">{rangeText(sweep, t('history.whole'))}</code>,
    t('sweep.begun', { when: sweep.startedAt * 1_000 }),
    t('sweep.pages', { count: sweep.pages }),
    t('sweep.items', { count: sweep.items }),
    t('sweep.documents', { count: sweep.documents }),
    sweep.retries > 0 && t('sweep.retries', { count: sweep.retries }),
    running && sweep.reached !== null && t('sweep.reached', { date: sweep.reached.slice(0, 10) }),
    pace.perSecond !== null && t('sweep.rate', { rate: pace.perSecond }),
    pace.perSecond !== null &&
      (pace.leftMs === null
        ? t('sweep.leftUnknown')
        : t('sweep.left', { time: spanText(pace.leftMs / 1_000) })),
    sweep.endedAt !== null && format.duration((sweep.endedAt - sweep.startedAt) * 1_000),
  ]
  return (
    <section
      className="grid gap-6 px-12 py-6 border-b border-line bg-panel"
      aria-label={t('sweep.name', { id })}
    >
      <div className="flex flex-wrap items-center gap-x-10 gap-y-4 min-h-24 text-s [&_b]:font-medium">
        <b>{t('sweep.name', { id })}</b>
        <StateWord tone={SWEEP_TONES[state]}>{t(`sweep.state.${state}`)}</StateWord>
        <ImportedTag of={sweep} />
        <Figures className="flex-[1000_1_420px]" facts={figures} />
        <span className="flex-1" />
        {actionsOf(sweep).map((what) => (
          <Button key={what} data-writes small icon={ICONS[what]} onClick={() => act(what)}>
            {t(`sweep.${what}`)}
          </Button>
        ))}
      </div>
      {going ? <Progress label={t('sweep.progress', { id })} value={reachedShare(sweep)} max={1} /> : null}
      {followed && going ? <p className={NOTE}>{t('sweep.queued')}</p> : null}
      {range.route === 'treasury' ? <p className={NOTE}>{t('sweep.treasury')}</p> : null}
      <Refused refusal={action.refusal} />
      {problems.map((problem) => (
        <Banner
          key={`${problem.code} ${problem.message}`}
          tone={state === 'failed' ? 'error' : 'warning'}
          title={t(`problem.${problem.code}`)}
          inset
        >
          {problemText(problem)}
        </Banner>
      ))}
      {state === 'cancelled' || state === 'incomplete' || state === 'failed' ? (
        <p className={NOTE}>{t('sweep.partial')}</p>
      ) : null}
    </section>
  )
}

/** Both ends of the range; without times when they are whole days. */
export function rangeText({ range }: Pick<Sweep, 'range'>, whole: string): string {
  if (range.from === null && range.to === null) return whole
  const shown = (text: string | null) =>
    text === null ? '…' : text.replace(/T(?:00:00:00|23:59:59)(?:\.\d+)?(?:[+-]\d\d:\d\d|Z)$/, '')
  const [from, to] = [shown(range.from), shown(range.to)]
  return from === to ? from : `${from} – ${to}`
}
