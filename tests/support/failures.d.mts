/** See failures.mjs. `report` is what the runner wrote, undefined where it wrote none. */
export function failedInVitest(report: unknown, root: string): string[]
export function failedInPlaywright(report: unknown): string[]

interface Case {
  readonly name: string
  readonly ms: number
}
export function casesInVitest(report: unknown, root: string): Case[]
export function casesInPlaywright(report: unknown): Case[]
