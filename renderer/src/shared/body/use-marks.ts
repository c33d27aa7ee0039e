import type { Finding } from '#contract/delivery.ts'
import { useAnswer } from '@/shared/live/answer.ts'
import type { BodyHandle } from './client.ts'
import type { BodyRow, BodyView } from './protocol.ts'

/** Findings by the row they are about. */
export type MarksOf = (row: BodyRow) => readonly Finding[]

const NONE: readonly Finding[] = []

/** Finds the rows of a view that findings are about: by pointer among pretty lines, by line number in the text as sent. */
export function useMarks(handle: BodyHandle, view: BodyView, findings: readonly Finding[]): MarksOf {
  const pointers = findings.map(({ pointer }) => pointer)
  const question = findings.length === 0 ? null : String(handle.doc)
  const { data: lines } = useAnswer(question, () => handle.call('lines', { pointers }), findings)
  if (findings.length === 0 || view === 'hex') return () => NONE
  const placeOf = (finding: Finding, i: number) => (view === 'pretty' ? lines?.[i] : finding.line)
  const byPlace = Map.groupBy(findings, (finding) => placeOf(finding, findings.indexOf(finding)))
  return ({ at, number }) => byPlace.get(view === 'pretty' ? at : (number ?? -1)) ?? NONE
}
