import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NumberField } from '@/shared/components/number-field.tsx'
import { isPercent, percentOf, shareOf } from './laboratory-draft.ts'
import styles from './share-field.module.css'

export interface ShareFieldProps {
  /** Accessible name of both controls. */
  readonly label: string
  /** From 0 to 1. */
  readonly value: number
  readonly onChange: (share: number) => void
}

/** A share as a slider and as a number, in per cent; a number that is none yet stays in its field and changes nothing. */
export function ShareField({ label, value, onChange }: ShareFieldProps) {
  const { t } = useTranslation('sandbox')
  const [percent, setPercent] = useState<number | null>(percentOf(value))
  useEffect(() => setPercent(percentOf(value)), [value])
  const change = (next: number | null) => {
    setPercent(next)
    if (isPercent(next)) onChange(shareOf(next))
  }
  return (
    <div className={styles.share}>
      <input
        type="range"
        min={0}
        max={100}
        step={1}
        className={styles.slider}
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
        error={isPercent(percent) ? null : t('laboratory.shareError')}
      />
    </div>
  )
}
