/** See failures.mjs. `report` is what the runner wrote, undefined where it wrote none. */
export function failedInVitest(report: unknown, root: string): string[]
export function failedInPlaywright(report: unknown): string[]
