import { useTranslation } from 'react-i18next'
import type { AttemptRow } from '#contract/replay.ts'
import { Select } from '@/shared/components/select.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import styles from './attempts.module.css'
import { outcomeText } from './outcome-text.ts'

/** One side of a comparison: which of the attempts. */
export function AnswerChoice(props: {
  readonly label: string
  readonly among: readonly AttemptRow[]
  readonly value: number
  readonly onChange: (attempt: number) => void
}) {
  const { label, among, value, onChange } = props
  const { t } = useTranslation('replays')
  const format = useFormat()
  return (
    <Select
      label={label}
      className={styles.side}
      value={String(value)}
      onChange={(id) => onChange(Number(id))}
      options={among.map((row) => ({
        value: String(row.id),
        label: `${row.id} · ${outcomeText(row, t)} · ${format.clock(row.startedAt)}`,
      }))}
    />
  )
}
