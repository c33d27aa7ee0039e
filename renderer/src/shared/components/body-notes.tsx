import { CircleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { cx } from '@/shared/components/cx.ts'
import { type BodyCheck, LONGEST_BODY } from './body-check.ts'
import styles from './body-notes.module.css'
import { Button } from './button.tsx'
import { FindingNote } from './finding-note.tsx'
import { VerdictMark } from './verdict-mark.tsx'

export interface BodyNotesProps {
  readonly check: BodyCheck
  /** Shows a place of the body, 1-based. */
  readonly onPlace: (line: number, column: number) => void
}

/** What can be said of a body before it is sent: where it is no JSON, or what the checks would say. */
export function BodyNotes({ check, onPlace }: BodyNotesProps) {
  const { t } = useTranslation('sandbox')
  if (!check.json) {
    const { line, column } = check.place
    return (
      <p
        className={cx(
          styles.wrong,
          'flex items-center gap-8 min-h-22 text-fg text-s [&_b]:text-invalid [&_b]:font-semibold',
        )}
        role="alert"
      >
        <CircleAlert aria-hidden="true" />
        <span>
          <b>{t('emit.notJson.place', { line, column })}</b>{' '}
          {t(`emit.notJson.${check.reason}`, { found: check.found, most: LONGEST_BODY })}
        </span>
        <Button small variant="quiet" onClick={() => onPlace(line, column)}>
          {t('emit.goTo')}
        </Button>
      </p>
    )
  }
  if (check.findings.length === 0) return <VerdictMark verdict={check.verdict} />
  return (
    <details className={styles.findings}>
      <summary>
        <VerdictMark verdict={check.verdict} />
        <span className="text-fg-2 text-s">{t('emit.finding', { count: check.count })}</span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <ul tabIndex={0} aria-label={t('emit.findings')}>
        {check.findings.map((finding, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: findings of one body have no identity but their place
          <li key={index}>
            <FindingNote finding={finding} bare />
          </li>
        ))}
      </ul>
    </details>
  )
}
