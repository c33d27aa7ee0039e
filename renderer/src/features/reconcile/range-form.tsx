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
import { useAction } from '@/shared/components/use-action.ts'
import { type Gap, gapRange } from './coverage-gaps.ts'
import { GapDialog } from './gap-dialog.tsx'
import {
  firstRange,
  PRESETS,
  type Preset,
  presetRange,
  type RangeDraft,
  type RangeField,
  rangeErrors,
  requestOf,
} from './range-draft.ts'
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
  const action = useAction()
  const [name, setName] = useState(sweeps[0]?.connection ?? connections[0]?.name ?? '')
  const connection = connections.find((one) => one.name === name) ?? connections[0]
  const zone = connection?.zone ?? 'UTC'
  const [draft, setDraft] = useState(() => firstRange(zone, Date.now()))
  const [tried, setTried] = useState(false)
  const [preset, setPreset] = useState<Preset | 'choose' | 'gap'>('thisMonth')
  const [choosing, setChoosing] = useState(false)
  const change = (part: Partial<RangeDraft>) => {
    setDraft({ ...draft, ...part })
    action.clear()
  }
  const last = sweeps.find((one) => one.connection === connection?.name && one.state === 'complete') ?? null
  const errors = rangeErrors(draft, zone)
  const errorOf = (field: RangeField) => {
    const error = tried ? errors.get(field) : undefined
    return error === undefined ? null : t(`form.errors.${error}`)
  }
  const [from, to] = [gap?.from, gap?.to]
  useEffect(() => {
    if (from === undefined || to === undefined) return
    setPreset('gap')
    setDraft((now) => ({ ...now, ...gapRange({ from, to }, zone) }))
  }, [from, to, zone])
  const choose = (chosen: Preset | 'choose' | 'gap') => {
    setPreset(chosen)
    if (chosen === 'gap') {
      setChoosing(true)
      return
    }
    const ends = chosen === 'choose' ? null : presetRange(chosen, zone, Date.now(), last)
    if (ends) change(ends)
  }
  const start = async () => {
    setTried(true)
    const request = requestOf(draft)
    if (errors.size > 0 || !request || !connection) return
    await action.run(async () => {
      onStarted(await useSweeps.getState().start(connection.name, request))
    })
  }
  const end = (which: 'from' | 'to') => (
    <TextField
      label={t(`form.${which}`)}
      mono
      className={styles.date}
      maxLength={60}
      title={t('form.ends', { zone })}
      value={draft[which]}
      onChange={(text) => {
        setPreset('choose')
        change({ [which]: text })
      }}
      error={errorOf(which)}
    />
  )
  return (
    <form
      noValidate
      className={cx(styles.form, 'flex flex-wrap items-start gap-x-8 gap-y-6 min-w-0')}
      aria-label={t('form.label')}
      onSubmit={(event) => {
        event.preventDefault()
        void start()
      }}
    >
      <Select
        label={t('form.connection')}
        className={styles.connection}
        value={connection?.name ?? ''}
        onChange={setName}
        options={connections.map((one) => ({ value: one.name, label: one.name }))}
      />
      <Select<RouteChoice>
        label={t('form.route')}
        value={draft.route}
        onChange={(route) => change({ route })}
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
        label={t('form.documentType')}
        className={styles.small}
        placeholder={t('form.allTypes')}
        optional
        value={draft.documentType}
        onChange={(documentType) => change({ documentType })}
        error={errorOf('documentType')}
      />
      <NumberField
        label={t('form.pageSize')}
        className={styles.small}
        min={1}
        max={500}
        value={draft.pageSize}
        onChange={(pageSize) => change({ pageSize })}
        error={errorOf('pageSize')}
      />
      <Button type="submit" variant="primary" busy={action.busy} className="mt-20">
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
        <Refused refusal={action.refusal} />
      </div>
    </form>
  )
}
