/** Minutes by which the clock of this computer is ahead of UTC at an instant. */
const aheadAt = (ms: number): number => -new Date(ms).getTimezoneOffset()

/** An instant by the clock of this computer: `2026-11-22T20:57:12.812`. */
export const localTime = (ms: number): string =>
  new Date(ms + aheadAt(ms) * 60_000).toISOString().replace('Z', '')

/** What that clock is off from UTC: `-04:00`. */
export function localZone(ms: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const ahead = aheadAt(ms)
  return `${ahead < 0 ? '-' : '+'}${two(Math.abs(ahead) / 60)}:${two(Math.abs(ahead) % 60)}`
}
