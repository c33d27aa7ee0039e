import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connection } from '#contract/connection.ts'
import type { Sweep } from '#contract/reconcile.ts'
import { spanText } from '#core/time/duration.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Dialog } from '@/shared/components/dialog.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Select } from '@/shared/components/select.tsx'
import { useForm } from '@/shared/forms/use-form.tsx'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import {
  type Ends,
  type Gap,
  gapRange,
  knownGaps,
  PRESETS,
  type Preset,
  presetRange,
  rangeForm,
} from './range.ts'
import { useSweeps } from './sweeps.ts'

const ROUTES = ['accounting', 'treasury', 'both'] as const

export interface RangeFormProps {
  readonly connections: readonly Connection[]
  readonly sweeps: readonly Sweep[]
  /** The gap in coverage that the user came from. */
  readonly gap: Gap | null
  readonly onStarted: (sweep: Sweep) => void
}

/** The form that starts a sweep. */
export function RangeForm({ connections, sweeps, gap, onStarted }: RangeFormProps) {
  const { t } = useTranslation('reconcile')
  const zoneOf = (name: string) => connections.find((one) => one.name === name)?.zone ?? 'UTC'
  const [choosing, setChoosing] = useState(false)
  const { draft, change, draw, bind, dialog } = useForm({
    form: () => {
      const usual = connections.filter(({ name }) => name === sweeps[0]?.connection)
      return rangeForm([...usual, ...connections], Date.now())
    },
    texts: ['reconcile', 'form'],
    look: ({ connection }) => {
      const title = t('form.ends', { zone: zoneOf(connection) })
      return {
        connection: {
          className: 'min-w-112 max-w-112 min-[1440px]:max-w-200',
          options: connections.map(({ name }) => ({ value: name, label: name })),
        },
        route: { options: ROUTES.map((value) => ({ value, label: t(`form.routes.${value}`) })) },
        from: { className: 'w-104', title },
        to: { className: 'w-104', title },
        documentType: { className: 'w-54', optional: true },
        pageSize: { className: 'w-66', min: 1, max: 500 },
      }
    },
    send: async ({ connection: name, range }) => onStarted(await useSweeps.getState().start(name, range)),
  })
  const zone = zoneOf(draft.connection)
  const last =
    sweeps.find(({ connection, state }) => connection === draft.connection && state === 'complete') ?? null
  const [set, setSet] = useState<Ends & { preset: Preset | 'gap' }>({ preset: 'thisMonth', ...draft })
  // The user typed other ends than the preset's.
  const isSet = set.from === draft.from && set.to === draft.to
  const put = (preset: Preset | 'gap', ends: Ends) => {
    setSet({ preset, ...ends })
    change(ends)
  }
  const [from, to, asked] = [gap?.from, gap?.to, gap?.connection]
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new gap or zone sets the range
  useEffect(() => {
    if (asked !== undefined && connections.some(({ name }) => name === asked)) change({ connection: asked })
  }, [from, to, asked])
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    if (from !== undefined && to !== undefined) put('gap', gapRange({ from, to }, zone))
  }, [from, to, zone])
  const running = sweeps.flatMap(({ id, state }) => (state === 'running' ? [id] : [])).join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: a refusal names the sweep that ran at that time
  useEffect(() => change({}), [running])
  const choose = (preset: Preset | 'choose' | 'gap') => {
    setChoosing(preset === 'gap')
    if (preset === 'choose' || preset === 'gap') return
    const ends = presetRange(preset, zone, Date.now(), last)
    if (ends) put(preset, ends)
  }
  return (
    <form
      {...bind}
      className="flex flex-[1_1_0] flex-wrap items-start gap-x-8 gap-y-6 min-w-0 max-[1270px]:order-1 max-[1270px]:basis-full"
      aria-label={t('form.label')}
    >
      {draw('connection')}
      {draw('route')}
      <Select<Preset | 'choose' | 'gap'>
        label={t('form.preset')}
        className="max-w-150"
        value={choosing ? 'gap' : isSet ? set.preset : 'choose'}
        onChange={choose}
        options={(['choose', ...PRESETS, 'gap'] as const)
          .filter((value) => value !== 'sinceLast' || last?.range.to)
          .map((value) => ({ value, label: t(`form.presets.${value}`) }))}
      />
      {draw('from')}
      {draw('to')}
      {draw('documentType')}
      {draw('pageSize')}
      <Button type="submit" variant="primary" busy={dialog.busy} className="mt-20">
        {t('form.start')}
      </Button>
      {choosing ? (
        <GapDialog
          onChoose={(chosen) => {
            put('gap', gapRange(chosen, zone))
            setChoosing(false)
          }}
          onClose={() => setChoosing(false)}
        />
      ) : null}
      <div className="basis-full empty:hidden">
        <Refused refusal={dialog.refusal} />
      </div>
    </form>
  )
}

const RECENT_MS = 31 * 86_400_000
const SHOWN = 100

export interface GapDialogProps {
  readonly onChoose: (gap: Gap) => void
  readonly onClose: () => void
}

/** Recent gaps in coverage; selecting one sets the range. */
export function GapDialog({ onChoose, onClose }: GapDialogProps) {
  const { t } = useTranslation(['reconcile', 'common'])
  const { data: gaps, refusal } = useAnswer('gaps', async () => {
    const asked = { from: Date.now() - RECENT_MS, to: Date.now() }
    return knownGaps((await api.call('coverage.list', asked)).spans, asked)
  })
  const when = ({ from, to, openStart, openEnd }: ReturnType<typeof knownGaps>[number]) =>
    t(openEnd ? 'gap.until' : openStart ? 'gap.before' : 'gap.between', {
      from: from * 1_000,
      to: to * 1_000,
    })
  return (
    <Dialog
      onClose={onClose}
      width={560}
      title={t('gap.title')}
      description={t('gap.text')}
      footer={<Button onClick={onClose}>{t('common:cancel')}</Button>}
    >
      <Refused refusal={refusal} />
      {gaps === null && refusal === null ? <Loading className="min-h-90" /> : null}
      {gaps?.length === 0 ? <p className="text-fg-2 text-s leading-[1.45]">{t('gap.none')}</p> : null}
      <ul className="grid [&_b]:text-fg [&_b]:font-medium">
        {gaps?.slice(0, SHOWN).map((gap) => (
          <li key={gap.from}>
            <button
              type="button"
              className={cx(
                'grid grid-cols-[120px_minmax(0,1fr)_auto] gap-x-12 gap-y-4 w-full px-8 py-7 border-0 border-t',
                'border-line-soft bg-transparent text-fg-2 text-s text-start cursor-default',
                'hover:bg-hover focus-visible:rounded-6 focus-visible:-outline-offset-2',
                '[li:first-child>&]:border-t-0',
              )}
              onClick={() => onChoose({ from: gap.from, to: gap.to })}
            >
              <b>{t(`gap.state.${gap.state}`)}</b>
              <span>{when(gap)}</span>
              <span className="text-fg tabular-nums">{spanText((gap.to - gap.from) / 1_000)}</span>
            </button>
          </li>
        ))}
      </ul>
      {gaps && gaps.length > SHOWN ? (
        <p className="text-fg-2 text-s leading-[1.45]">{t('gap.more', { count: gaps.length - SHOWN })}</p>
      ) : null}
    </Dialog>
  )
}
