import { analyse } from '#core/checks/analyse.ts'
import type { Analysis, Judged } from '#core/checks/analysis.ts'
import { bytesOf } from '../../../support/events.ts'

/** Analysis of a body given as a value or as text, delivered by POST without Content-Type unless told otherwise. */
export function judge(body: unknown, over: Partial<Omit<Judged, 'body'>> = {}): Analysis {
  const bytes = body instanceof Uint8Array ? body : bytesOf(body)
  return analyse({ method: 'POST', contentType: null, body: { bytes }, ...over })
}

/** Findings as `code pointer`, in their order. */
export const told = (analysis: Analysis): string[] =>
  analysis.findings.map((finding) => `${finding.code} ${finding.pointer}`)

/** The verdict and `told`, in one text. */
export const said = (analysis: Analysis): string => [analysis.verdict, ...told(analysis)].join('; ')
