import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SandboxLaboratory } from '#contract/sandbox.ts'
import { cx } from '@/shared/components/cx.ts'
import { NumberField } from '@/shared/components/number-field.tsx'
import { KindsButton } from './kinds-button.tsx'
import styles from './laboratory.module.css'
import { type FaultName, isMillis } from './laboratory-draft.ts'
import { ShareField } from './share-field.tsx'

export interface FaultRowProps {
  readonly name: FaultName
  readonly laboratory: SandboxLaboratory
  readonly onChange: <K extends FaultName>(name: K, members: Partial<SandboxLaboratory[K]>) => void
}

/** One fault of deliveries: how large a share it befalls, of which kinds, and its times. */
export function FaultRow({ name, laboratory, onChange }: FaultRowProps) {
  const { t } = useTranslation('sandbox')
  const { share, kinds } = laboratory[name]
  const title = t(`laboratory.${name}`)
  return (
    <fieldset className={styles.fault} aria-label={title}>
      <div className={styles.what}>
        <b>
          <span className={cx(styles.lamp, share > 0 && styles.on)} aria-hidden="true" />
          {title}
        </b>
        <p>{t(`laboratory.${name}Text`)}</p>
      </div>
      <div className={styles.controls}>
        <ShareField
          label={t('laboratory.shareOf', { what: title })}
          value={share}
          onChange={(next) => onChange(name, { share: next })}
        />
        {name === 'delay' && share > 0 ? (
          <div className={styles.times}>
            <Millis
              label={t('laboratory.delayLeast')}
              value={laboratory.delay.leastMs}
              onChange={(leastMs) => onChange('delay', { leastMs })}
            />
            <Millis
              label={t('laboratory.delayMost')}
              value={laboratory.delay.mostMs}
              onChange={(mostMs) => onChange('delay', { mostMs })}
            />
          </div>
        ) : null}
        {name === 'reorder' && share > 0 ? (
          <div className={styles.times}>
            <Millis
              label={t('laboratory.reorderHold')}
              value={laboratory.reorder.holdMs}
              onChange={(holdMs) => onChange('reorder', { holdMs })}
            />
          </div>
        ) : null}
      </div>
      <div className={styles.kinds}>
        <KindsButton
          label={t('laboratory.kindsOf', { what: title })}
          value={kinds}
          onChange={(next) => onChange(name, { kinds: next === null ? null : [...next] })}
        />
      </div>
    </fieldset>
  )
}

export interface MillisProps {
  readonly label: string
  readonly value: number
  readonly onChange: (value: number) => void
}

/** Milliseconds, told on only while they are a time that the sandbox takes. */
export function Millis({ label, value, onChange }: MillisProps) {
  const { t } = useTranslation('sandbox')
  const [typed, setTyped] = useState<number | null>(value)
  return (
    <NumberField
      label={label}
      unit={t('laboratory.ms')}
      max={60_000}
      value={typed}
      error={isMillis(typed) ? null : t('laboratory.millisError')}
      onChange={(next) => {
        setTyped(next)
        if (isMillis(next)) onChange(next)
      }}
    />
  )
}
