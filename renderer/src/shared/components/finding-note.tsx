import type { Finding, Level, Verdict } from '#contract/delivery.ts'
import { findingMessage } from '#core/checks/messages.ts'
import { useLanguage } from '@/shared/i18n/format.ts'
import { Captured } from './captured.tsx'
import { cx } from './cx.ts'
import { VERDICT_INK, VERDICT_SIGNS } from './tag.tsx'

export const VERDICT_OF: Readonly<Record<Level, Verdict>> = {
  note: 'noted',
  warning: 'warning',
  error: 'invalid',
  unreadable: 'unreadable',
}

export const inkOf = (level: Level): string => VERDICT_INK[VERDICT_OF[level]]

const LEVEL_GROUND: Readonly<Record<Level, string>> = {
  note: 'bg-noted-weak',
  warning: 'bg-warning-weak',
  error: 'bg-invalid-weak',
  unreadable: 'bg-unreadable-weak',
}

export const BY_GRAVITY: readonly Level[] = ['unreadable', 'error', 'warning', 'note']

export function worstOf(findings: readonly Finding[]): Level | undefined {
  return BY_GRAVITY.find((level) => findings.some((finding) => finding.level === level))
}

export function FindingNote(props: { readonly finding: Finding; readonly bare?: boolean }) {
  const { finding, bare = false } = props
  const language = useLanguage()
  return (
    <p
      className={cx(
        'grid grid-cols-[auto_minmax(0,1fr)] gap-7 rounded text-fg text-s leading-[1.45]',
        !bare && cx('mt-2 mb-6 px-9 py-6', LEVEL_GROUND[finding.level]),
      )}
    >
      <b aria-hidden="true" className={cx('min-w-9 font-bold text-center', inkOf(finding.level))}>
        {VERDICT_SIGNS[VERDICT_OF[finding.level]]}
      </b>
      <span>
        <Captured text={findingMessage(finding, language)} />{' '}
        {finding.pointer === '' ? null : (
          <span className="text-fg-2">
            <Captured text={finding.pointer} mono most={300} />
          </span>
        )}
      </span>
    </p>
  )
}

export function FindingNotes(props: { readonly findings: readonly Finding[]; readonly className?: string }) {
  const { findings, className } = props
  if (findings.length === 0) return null
  return (
    <div className={className}>
      {findings.map((finding) => (
        <FindingNote
          key={`${finding.code}${finding.pointer}${finding.line}:${finding.column}`}
          finding={finding}
        />
      ))}
    </div>
  )
}
