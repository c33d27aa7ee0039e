import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connection } from '#contract/connection.ts'
import type { Sweep } from '#contract/reconcile.ts'
import { Button } from '@/shared/components/button.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Select } from '@/shared/components/select.tsx'
import { useForm } from '@/shared/forms/use-form.tsx'
import { type Gap, gapRange } from './coverage-gaps.ts'
import { GapDialog } from './gap-dialog.tsx'
import { type Ends, PRESETS, type Preset, presetRange, rangeForm } from './range.ts'
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
