import { useEffect, useRef, useState } from 'react'
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
import { withValue } from '@/shared/forms/form.ts'
import { api } from '@/shared/live/api.ts'
import { KindsButton } from './kinds-picker.tsx'
import { Lamp, Part } from './part.tsx'
import styles from './sandbox.module.css'
import { FAULTS, laboratoryOn, useSandbox } from './sandbox.ts'

type FaultName = (typeof FAULTS)[number]

/** The members of the answers of the sync routes: each is shown where it means something. */
const SYNC = [
  ...(['fault', 'share', 'retryAfterSeconds', 'slowMs'] as const),
  ...(['casing', 'nesting', 'order', 'reduce'] as const),
]
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  share: ['error-500', 'error-429', 'slow', 'truncated'],
  retryAfterSeconds: ['error-429'],
  slowMs: ['slow'],
}

/** The times that a fault has besides its share. */
const TIMES = ['leastMs', 'mostMs', 'holdMs'] as const

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
  const waiting = useRef<Params<'sandbox.set-laboratory'>>({})
  const sending = useRef(false)

  // The host's word replaces the draft, unless a change of ours is still on its way to it.
  useEffect(() => {
    if (!sending.current) setDraft(present)
  }, [present])
  /** Sends what was changed; what is changed meanwhile goes together, once that is answered. */
  const send = async () => {
    if (sending.current) return
    sending.current = true
    while (Object.keys(waiting.current).length > 0) {
      const change = waiting.current
      waiting.current = {}
      await action.run(async () => receive(await api.call('sandbox.set-laboratory', change)))
    }
    sending.current = false
    setDraft(useSandbox.getState().state?.laboratory ?? present)
  }
  const change = (field: string, value: unknown) => {
    setDraft((before) => withValue(before, field, value))
    waiting.current = withValue(waiting.current, field, value)
    void send()
  }
  const clear = () => action.run(async () => receive(await api.call('sandbox.clear-laboratory', {})))
  const { sync } = draft
  const label = (name: (typeof SYNC)[number]) => t(`laboratory.${name}`)
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
            onChange={(seed) => change('seed', seed)}
          />
        </div>
      </SectionCard>
      <SectionCard level={3} title={t('laboratory.sync')}>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(220px,1fr))] items-start gap-x-20 gap-y-12">
          {SYNC.map((name) => {
            if (NEEDED[name]?.includes(sync.fault) === false) return null
            const put = (value: unknown) => change(`sync.${name}`, value)
            if (name === 'share')
              return (
                <div key={name} className="grid gap-4">
                  <span className="text-fg-2 label-s" aria-hidden="true">
                    {label(name)}
                  </span>
                  <Share label={label(name)} value={sync.share} onChange={put} />
                </div>
              )
            if (name === 'retryAfterSeconds' || name === 'slowMs')
              return (
                <LiveNumber
                  key={name}
                  label={label(name)}
                  unit={name === 'slowMs' ? 'ms' : 's'}
                  schema={schema.shape.sync.shape[name]}
                  value={sync[name]}
                  onChange={put}
                />
              )
            const called: Readonly<Record<string, string>> = t(`laboratory.values.${name}`, {
              returnObjects: true,
            })
            return (
              <Select
                key={name}
                label={label(name)}
                value={sync[name]}
                onChange={put}
                options={schema.shape.sync.shape[name].options.map((value) => ({
                  value,
                  label: called[value] ?? value,
                }))}
              />
            )
          })}
        </div>
      </SectionCard>
    </Part>
  )
}

interface FaultRowProps {
  readonly name: FaultName
  readonly laboratory: SandboxLaboratory
  readonly onChange: (field: string, value: unknown) => void
}

/** One fault of deliveries: the share and the kinds that it affects, and its times. */
function FaultRow({ name, laboratory, onChange }: FaultRowProps) {
  const { t } = useTranslation('sandbox')
  const { share, kinds, ...times } = { ...laboratory[name] }
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
          onChange={(next) => onChange(`${name}.share`, next)}
        />
        {share > 0 ? (
          <div className="grid grid-cols-[repeat(auto-fit,minmax(110px,1fr))] gap-10 empty:hidden">
            {TIMES.filter((time) => time in times).map((time) => (
              <LiveNumber
                key={time}
                label={t(`laboratory.${time}`)}
                unit="ms"
                schema={schema.shape.sync.shape.slowMs}
                value={{ ...laboratory.delay, ...laboratory.reorder }[time]}
                onChange={(ms) => onChange(`${name}.${time}`, ms)}
              />
            ))}
          </div>
        ) : null}
      </div>
      <div className={styles.faultKinds}>
        <KindsButton
          label={t('laboratory.kindsOf', { what: title })}
          value={kinds}
          onChange={(next) => onChange(`${name}.kinds`, next)}
        />
      </div>
    </fieldset>
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
  const { t } = useTranslation('components')
  const [typed, setTyped] = useState<number | null>(value)
  useEffect(() => setTyped(value), [value])
  const [least, most] = [schema.minValue ?? 0, schema.maxValue ?? 0]
  const right = (next: number | null): next is number => next !== null && next >= least && next <= most
  return (
    <NumberField
      {...field}
      max={most}
      value={typed}
      error={right(typed) ? null : t('numbers.whole', { least, most })}
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
  const { t } = useTranslation('components')
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
        error={right ? null : t('numbers.decimal', { least: 0, most: 100 })}
      />
    </div>
  )
}
