import { analyse } from '#core/checks/analyse.ts'
import type { Analysis, Judged } from '#core/checks/analysis.ts'
import { bytesOf } from '../../../support/events.ts'

/** Analyses a body, given as a value or as text; default: a POST without Content-Type. */
export function judge(body: unknown, over: Partial<Omit<Judged, 'body'>> = {}): Analysis {
  const bytes = body instanceof Uint8Array ? body : bytesOf(body)
  return analyse({ method: 'POST', contentType: null, body: { bytes }, ...over })
}

/** @returns findings as `code pointer`, in order */
export const told = (analysis: Analysis): string[] =>
  analysis.findings.map((finding) => `${finding.code} ${finding.pointer}`)

/** @returns the verdict and the findings in one text */
export const said = (analysis: Analysis): string => [analysis.verdict, ...told(analysis)].join('; ')
