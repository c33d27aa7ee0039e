import type { Level, Verdict } from '#contract/delivery.ts'
import { analyse } from './analyse.ts'
import { findingMessage } from './messages.ts'

/** Output of `acuse validate`; users script against this shape. */
export interface ValidatedFinding {
  readonly level: Level
  readonly code: string
  readonly pointer: string
  readonly message: string
  readonly line?: number
  readonly column?: number
}

/** Checks a decoded body alone, without method and headers. Never throws. */
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
