import type { Level, Verdict } from '#contract/delivery.ts'
import { analyse } from './analyse.ts'
import { findingMessage } from './messages.ts'

/** What `acuse validate` prints; people script against its shape. */
export interface ValidatedFinding {
  readonly level: Level
  readonly code: string
  readonly pointer: string
  readonly message: string
  readonly line?: number
  readonly column?: number
}

/** Checks a decoded body on its own: nothing is said about method and headers. Never throws. */
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
