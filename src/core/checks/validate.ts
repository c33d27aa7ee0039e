import type { Level, Verdict } from '#contract/delivery.ts'
import { analyse } from './analyse.ts'
import { findingMessage } from './messages.ts'

/** One line of what `acuse validate` prints (its JSON shape is fixed: people script against it). */
export interface ValidatedFinding {
  readonly level: Level
  readonly code: string
  readonly pointer: string
  readonly message: string
  readonly line?: number
  readonly column?: number
}

/**
 * Checks a body on its own: no method and no headers are known, so that nothing is said about them. Never throws.
 * @param bytes the decoded body
 * @returns at most FINDINGS_KEPT findings, worst first, with English sentences
 */
export function validateBytes(bytes: Uint8Array): {
  verdict: Verdict
  findings: ValidatedFinding[]
} {
  const { verdict, findings } = analyse({ method: 'POST', contentType: null, body: { bytes } })
  return {
    verdict,
    findings: findings.map((finding) => ({
      level: finding.level,
      code: finding.code,
      pointer: finding.pointer,
      message: findingMessage(finding, 'en'),
      ...(finding.line === undefined ? {} : { line: finding.line }),
      ...(finding.column === undefined ? {} : { column: finding.column }),
    })),
  }
}
