import { ChevronDown, ChevronUp } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Finding } from '#contract/delivery.ts'
import { findingsByLine } from '@/shared/body/event-fields.ts'
import { cx } from '@/shared/components/cx.ts'
import { VERDICT_OF, worstOf } from '@/shared/components/finding-note.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { VERDICT_SIGNS } from '@/shared/components/verdict-mark.tsx'
import styles from './lines-tab.module.css'

export interface LineStepsProps {
  readonly findings: readonly Finding[]
  readonly pointer: string
  readonly chosen: number | null
  readonly onChoose: (line: number) => void
}

/** From one line with findings to the next: among 200,000 nobody scrolls to them. */
export function LineSteps({ findings, pointer, chosen, onChoose }: LineStepsProps) {
  const { t } = useTranslation('detail')
  const lines = useMemo(
    () => [...findingsByLine(findings, pointer).keys()].sort((a, b) => a - b),
    [findings, pointer],
  )
  const level = worstOf(findings)
  if (lines.length === 0 || !level) return null
  const at = chosen ?? -1
  const next = lines.find((line) => line > at) ?? lines[0]
  const before = lines.findLast((line) => line < at) ?? lines.at(-1)
  const go = (line: number | undefined) => line !== undefined && onChoose(line)
  return (
    <span className={styles.steps}>
      <span className={cx(styles.marked, styles[level])}>
        <b aria-hidden="true">{VERDICT_SIGNS[VERDICT_OF[level]]}</b>{' '}
        {t('lines.marked', { count: lines.length })}
      </span>
      <IconButton small label={t('lines.previous')} icon={<ChevronUp />} onClick={() => go(before)} />
      <IconButton small label={t('lines.next')} icon={<ChevronDown />} onClick={() => go(next)} />
    </span>
  )
}
