import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Params } from '#contract/commands.ts'
import { type SandboxLaboratory, laboratory as schema } from '#contract/sandbox.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { NumberField } from '@/shared/components/number-field.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { SectionCard } from '@/shared/components/section-card.tsx'
import { Select } from '@/shared/components/select.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'
import { KindsButton } from './kinds-picker.tsx'
import { Lamp, Part } from './part.tsx'
import styles from './sandbox.module.css'
import { FAULTS, laboratoryOn, useSandbox } from './sandbox.ts'

type Change = Params<'sandbox.set-laboratory'>
type FaultName = (typeof FAULTS)[number]
type Sync = SandboxLaboratory['sync']

/** While the user drags a slider, the window sends its value at most this often. */
const PAUSE_MS = 150
/** The times that a fault has besides its share. */
const TIMES = { delay: ['leastMs', 'mostMs'], reorder: ['holdMs'] } as const

/** What is done beyond the real service. Every change takes effect at once: there is nothing to save, and nothing half on. */
export function LaboratorySection() {
  const present = useSandbox((s) => s.state?.laboratory)
  if (!present) return null
  return <Laboratory present={present} />
}

function Laboratory({ present }: { readonly present: SandboxLaboratory }) {
  const { t } = useTranslation('sandbox')
  const receive = useSandbox((s) => s.receiveLaboratory)
  const action = useAction()
  const [draft, setDraft] = useState(present)
  const waiting = useRef<Change>({})
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  // The host's word replaces the draft, unless a change of ours is still on its way to it.
  useEffect(() => {
    if (timer.current === undefined) setDraft(present)
  }, [present])
  const flush = useCallback(async () => {
    clearTimeout(timer.current)
    timer.current = undefined
    const change = waiting.current
    waiting.current = {}
    if (Object.keys(change).length === 0) return
    const done = await action.run(async () => receive(await api.call('sandbox.set-laboratory', change)))
    if (!done) setDraft(useSandbox.getState().state?.laboratory ?? present)
  }, [action, receive, present])
  const latest = useRef(flush)
  latest.current = flush
  // What was drawn along last must not be lost with the part.
  useEffect(() => () => void latest.current(), [])

  const send = (change: Change) => {
    waiting.current = { ...waiting.current, ...change }
    timer.current ??= setTimeout(() => void latest.current(), PAUSE_MS)
  }
  const change = <K extends FaultName | 'sync'>(part: K, members: Partial<SandboxLaboratory[K]>) => {
    setDraft((before) => ({ ...before, [part]: { ...before[part], ...members } }))
    send({ [part]: { ...waiting.current[part], ...members } })
  }
  const clear = () =>
    action.run(async () => {
      const cleared = await api.call('sandbox.clear-laboratory', {})
      receive(cleared)
      setDraft(cleared)
    })
  return (
    <Part
      title={t('laboratory.title')}
      lead={t('laboratory.lead')}
      actions={
        <>
          <Tag tone="warning">{t('laboratory.beyond')}</Tag>
          <span className="flex-1" />
          <Button disabled={!laboratoryOn(draft)} onClick={() => void clear()}>
            {t('laboratory.clear')}
          </Button>
        </>
      }
    >
      <Refused refusal={action.refusal} />
      <SectionCard level={3} title={t('laboratory.deliveries')}>
        {FAULTS.map((name) => (
          <FaultRow key={name} name={name} laboratory={draft} onChange={change} />
        ))}
        <div className="pt-12 border-t border-line-soft [&>*]:max-w-200 [&_[id$=-note]]:whitespace-nowrap">
          <LiveNumber
            label={t('seed')}
            hint={t('laboratory.seedHint')}
            schema={schema.shape.seed}
            value={draft.seed}
            onChange={(seed) => {
              setDraft((before) => ({ ...before, seed }))
              send({ seed })
            }}
          />
        </div>
      </SectionCard>
      <SyncCard sync={draft.sync} onChange={(members) => change('sync', members)} />
    </Part>
  )
}

interface FaultRowProps {
  readonly name: FaultName
  readonly laboratory: SandboxLaboratory
  readonly onChange: <K extends FaultName>(name: K, members: Partial<SandboxLaboratory[K]>) => void
}

/** One fault of deliveries: the share and the kinds that it affects, and its times. */
function FaultRow({ name, laboratory, onChange }: FaultRowProps) {
  const { t } = useTranslation('sandbox')
  const { share, kinds } = laboratory[name]
  const title = t(`laboratory.${name}`)
  return (
    <fieldset
      className={cx(styles.fault, 'items-start min-w-0 m-0 px-0 py-10 border-0 border-t border-line-soft')}
      aria-label={title}
    >
      <div>
        <b className="flex items-center gap-7 font-medium">
          <Lamp on={share > 0 ? 'warning' : null} />
          {title}
        </b>
        <p className="text-fg-2 text-s leading-[1.45]">{t(`laboratory.${name}Text`)}</p>
      </div>
      <div className="grid gap-8">
        <Share
          label={t('laboratory.shareOf', { what: title })}
          value={share}
          onChange={(next) => onChange(name, { share: next })}
        />
        {(name === 'delay' || name === 'reorder') && share > 0 ? (
          <div className="grid grid-cols-[repeat(auto-fit,minmax(110px,1fr))] gap-10">
            {TIMES[name].map((time) => (
              <LiveNumber
                key={time}
                label={t(`laboratory.${time}`)}
                unit="ms"
                schema={schema.shape.sync.shape.slowMs}
                value={{ ...laboratory.delay, ...laboratory.reorder }[time]}
                onChange={(ms) => onChange(name, { [time]: ms })}
              />
            ))}
          </div>
        ) : null}
      </div>
      <div className={styles.faultKinds}>
        <KindsButton
          label={t('laboratory.kindsOf', { what: title })}
          value={kinds}
          onChange={(next) => onChange(name, { kinds: next === null ? null : [...next] })}
        />
      </div>
    </fieldset>
  )
}

interface SyncCardProps {
  readonly sync: Sync
  readonly onChange: (members: Partial<Sync>) => void
}

/** How the sync routes answer: faults of the calls, and another shape of their items. */
function SyncCard({ sync, onChange }: SyncCardProps) {
  const { t } = useTranslation('sandbox')
  const { shape } = schema.shape.sync
  function choice<V extends string>(
    name: 'fault' | 'casing' | 'nesting' | 'order' | 'reduce',
    values: readonly V[],
    value: V,
    called: (value: V) => string,
    take: (value: V) => Partial<Sync>,
  ) {
    return (
      <Select<V>
        label={t(`laboratory.${name}`)}
        value={value}
        onChange={(next) => onChange(take(next))}
        options={values.map((one) => ({ value: one, label: called(one) }))}
      />
    )
  }
  return (
    <SectionCard level={3} title={t('laboratory.sync')}>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(220px,1fr))] items-start gap-x-20 gap-y-12">
        {choice(
          'fault',
          shape.fault.options,
          sync.fault,
          (value) => t(`laboratory.values.fault.${value}`),
          (fault) => ({ fault }),
        )}
        {sync.fault === 'none' ? null : (
          <div className="grid gap-4">
            <span className="text-fg-2 label-s" aria-hidden="true">
              {t('laboratory.faultShare')}
            </span>
            <Share
              label={t('laboratory.faultShare')}
              value={sync.share}
              onChange={(share) => onChange({ share })}
            />
          </div>
        )}
        {sync.fault === 'error-429' ? (
          <LiveNumber
            label={t('laboratory.retryAfter')}
            unit="s"
            schema={shape.retryAfterSeconds}
            value={sync.retryAfterSeconds}
            onChange={(retryAfterSeconds) => onChange({ retryAfterSeconds })}
          />
        ) : null}
        {sync.fault === 'slow' ? (
          <LiveNumber
            label={t('laboratory.slow')}
            unit="ms"
            schema={shape.slowMs}
            value={sync.slowMs}
            onChange={(slowMs) => onChange({ slowMs })}
          />
        ) : null}
        {choice(
          'casing',
          shape.casing.options,
          sync.casing,
          (value) => t(`laboratory.values.casing.${value}`),
          (casing) => ({ casing }),
        )}
        {choice(
          'nesting',
          shape.nesting.options,
          sync.nesting,
          (value) => t(`laboratory.values.nesting.${value}`),
          (nesting) => ({ nesting }),
        )}
        {choice(
          'order',
          shape.order.options,
          sync.order,
          (value) => t(`laboratory.values.order.${value}`),
          (order) => ({ order }),
        )}
        {choice(
          'reduce',
          shape.reduce.options,
          sync.reduce,
          (value) => t(`laboratory.values.reduce.${value}`),
          (reduce) => ({ reduce }),
        )}
      </div>
    </SectionCard>
  )
}

interface LiveNumberProps {
  readonly label: string
  readonly hint?: string
  readonly unit?: string
  readonly schema: { readonly minValue: number | null; readonly maxValue: number | null }
  readonly value: number
  readonly onChange: (value: number) => void
}

/** A number that the form takes while its schema accepts it; other input stays in its field and changes nothing. */
function LiveNumber({ schema, value, onChange, ...field }: LiveNumberProps) {
  const { t } = useTranslation('sandbox')
  const [typed, setTyped] = useState<number | null>(value)
  useEffect(() => setTyped(value), [value])
  const [least, most] = [schema.minValue ?? 0, schema.maxValue ?? 0]
  const right = (next: number | null): next is number => next !== null && next >= least && next <= most
  return (
    <NumberField
      {...field}
      max={most}
      value={typed}
      error={right(typed) ? null : t('fields.integer', { least, most })}
      onChange={(next) => {
        setTyped(next)
        if (right(next)) onChange(next)
      }}
    />
  )
}

interface ShareProps {
  /** Accessible name of both controls. */
  readonly label: string
  /** From 0 to 1. */
  readonly value: number
  readonly onChange: (share: number) => void
}

/** A share as a slider and as a number, in per cent with at most two decimals. */
function Share({ label, value, onChange }: ShareProps) {
  const { t } = useTranslation('sandbox')
  const shown = Math.round(value * 10_000) / 100
  const [percent, setPercent] = useState<number | null>(shown)
  useEffect(() => setPercent(shown), [shown])
  const right = percent !== null && percent <= 100
  const change = (next: number | null) => {
    setPercent(next)
    if (next !== null && next <= 100) onChange(Math.round(next * 100) / 10_000)
  }
  return (
    <div className="grid grid-cols-[minmax(80px,1fr)_92px] items-center gap-10">
      <input
        type="range"
        min={0}
        max={100}
        step={1}
        className="w-full h-20 m-0 accent-accent focus-visible:outline-offset-2 focus-visible:rounded-4"
        aria-label={label}
        aria-valuetext={`${percent ?? 0} %`}
        value={percent ?? 0}
        onChange={(event) => change(Number(event.target.value))}
      />
      <NumberField
        label={label}
        hideLabel
        unit="%"
        decimals={2}
        max={100}
        value={percent}
        onChange={change}
        error={right ? null : t('fields.decimal', { least: 0, most: 100 })}
      />
    </div>
  )
}
