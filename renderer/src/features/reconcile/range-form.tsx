import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connection } from '#contract/connection.ts'
import type { RouteChoice, Sweep } from '#contract/reconcile.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { NumberField } from '@/shared/components/number-field.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Select } from '@/shared/components/select.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { useForm } from '@/shared/forms/use-form.ts'
import { type Gap, gapRange } from './coverage-gaps.ts'
import { GapDialog } from './gap-dialog.tsx'
import { PRESETS, type Preset, presetRange, rangeForm } from './range.ts'
import styles from './reconcile.module.css'
import { useSweeps } from './sweeps.ts'

export interface RangeFormProps {
  readonly connections: readonly Connection[]
  readonly sweeps: readonly Sweep[]
  /** The gap of coverage that led the user here. */
  readonly gap: Gap | null
  readonly onStarted: (sweep: Sweep) => void
}

/** What is to be swept, and the button that begins it. */
export function RangeForm({ connections, sweeps, gap, onStarted }: RangeFormProps) {
  const { t } = useTranslation('reconcile')
  const [preset, setPreset] = useState<Preset | 'choose' | 'gap'>('thisMonth')
  const [choosing, setChoosing] = useState(false)
  const { draft, change, field, dialog } = useForm({
    form: () => {
      const usual = connections.filter(({ name }) => name === sweeps[0]?.connection)
      return rangeForm([...usual, ...connections], Date.now())
    },
    texts: ['reconcile', 'form'],
    send: async ({ connection: name, range }) => onStarted(await useSweeps.getState().start(name, range)),
  })
  const connection = connections.find(({ name }) => name === draft.connection) ?? connections[0]
  const zone = connection?.zone ?? 'UTC'
  const last = sweeps.find((one) => one.connection === connection?.name && one.state === 'complete') ?? null
  const [from, to] = [gap?.from, gap?.to]
  // biome-ignore lint/correctness/useExhaustiveDependencies: another gap, or zone, sets the range once
  useEffect(() => {
    if (from === undefined || to === undefined) return
    setPreset('gap')
    change(gapRange({ from, to }, zone))
  }, [from, to, zone])
  const choose = (chosen: Preset | 'choose' | 'gap') => {
    setPreset(chosen)
    setChoosing(chosen === 'gap')
    const ends = chosen === 'choose' || chosen === 'gap' ? null : presetRange(chosen, zone, Date.now(), last)
    if (ends) change(ends)
  }
  const end = (which: 'from' | 'to') => (
    <TextField
      {...field(which)}
      mono
      className={styles.date}
      maxLength={60}
      title={t('form.ends', { zone })}
      onChange={(text) => {
        setPreset('choose')
        change({ [which]: text })
      }}
    />
  )
  return (
    <form
      noValidate
      className={cx(styles.form, 'flex flex-wrap items-start gap-x-8 gap-y-6 min-w-0')}
      aria-label={t('form.label')}
      onSubmit={(event) => {
        event.preventDefault()
        void dialog.onSubmit()
      }}
    >
      <Select
        {...field('connection')}
        className={styles.connection}
        options={connections.map((one) => ({ value: one.name, label: one.name }))}
      />
      <Select<RouteChoice>
        {...field('route')}
        options={(['accounting', 'treasury', 'both'] as const).map((value) => ({
          value,
          label: t(`form.routes.${value}`),
        }))}
      />
      <Select<Preset | 'choose' | 'gap'>
        label={t('form.preset')}
        value={preset}
        onChange={choose}
        options={(['choose', ...PRESETS, 'gap'] as const)
          .filter((value) => value !== 'sinceLast' || last?.range.to)
          .map((value) => ({ value, label: t(`form.presets.${value}`) }))}
      />
      {end('from')}
      {end('to')}
      <NumberField
        {...field('documentType')}
        className={styles.small}
        placeholder={t('form.allTypes')}
        optional
      />
      <NumberField {...field('pageSize')} className={styles.small} min={1} max={500} />
      <Button type="submit" variant="primary" busy={dialog.busy} className="mt-20">
        {t('form.start')}
      </Button>
      {choosing ? (
        <GapDialog
          onChoose={(chosen) => {
            change(gapRange(chosen, zone))
            setChoosing(false)
          }}
          onClose={() => {
            setChoosing(false)
            setPreset('choose')
          }}
        />
      ) : null}
      <div className="basis-full empty:hidden">
        <Refused refusal={dialog.refusal} />
      </div>
    </form>
  )
}
