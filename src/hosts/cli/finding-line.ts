import type { ValidatedFinding } from '#core/checks/validate.ts'
import { visible } from './visible.ts'

/** A finding as one line for people: where (line:column, else the pointer alone), how bad, what. */
export function findingLine({ level, code, pointer, message, line, column }: ValidatedFinding): string {
  const place = line === undefined ? '' : `${line}:${column ?? 1}  `
  return visible(`${place}${level}  ${pointer || '(whole body)'}  ${message}  [${code}]`)
}
