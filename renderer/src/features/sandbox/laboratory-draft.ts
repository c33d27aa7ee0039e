import type { SandboxLaboratory } from '#contract/sandbox.ts'

/** The faults that befall deliveries, in the order in which they are told. */
export const FAULTS = ['lose', 'delay', 'duplicate', 'reorder', 'cut'] as const
export type FaultName = (typeof FAULTS)[number]

/** Whether anything goes beyond the real service. */
export function laboratoryOn(laboratory: SandboxLaboratory): boolean {
  const { sync } = laboratory
  return (
    FAULTS.some((name) => laboratory[name].share > 0) ||
    (sync.fault !== 'none' && sync.share > 0) ||
    [sync.casing, sync.nesting, sync.order].some((way) => way !== 'documented') ||
    sync.reduce !== 'none'
  )
}

/** Per cent with at most two decimals, of a share from 0 to 1, and back. */
export const percentOf = (share: number): number => Math.round(share * 10_000) / 100
export const shareOf = (percent: number): number => Math.round(percent * 100) / 10_000

export const isPercent = (value: number | null): value is number =>
  value !== null && value >= 0 && value <= 100
export const isMillis = (value: number | null): value is number =>
  value !== null && value >= 0 && value <= 60_000
export const isRetryAfter = (value: number | null): value is number =>
  value !== null && value >= 0 && value <= 3_600
export const isSeed = (value: number | null): value is number =>
  value !== null && value >= 0 && value <= 0xffff_ffff
