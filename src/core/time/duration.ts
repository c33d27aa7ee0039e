/** `0.8 ms`, `12 ms`, `1.2 s`, `2 min 5 s`, `3 d 2 h`: no more digits than a reader compares; alike in English and Dominican Spanish. */
export function durationText(micros: number): string {
  const ms = micros / 1_000
  if (ms < 999.5) return `${rounded(ms, ms < 0.095 ? 100 : ms < 9.95 ? 10 : 1)} ms`
  const exact = ms / 1_000
  if (exact < 59.95) return `${rounded(exact, 10)} s`
  const seconds = Math.round(exact)
  if (seconds < 3_600) return pair(seconds, 60, 'min', 's')
  const minutes = Math.round(seconds / 60)
  return minutes < 1_440 ? pair(minutes, 60, 'h', 'min') : pair(Math.round(minutes / 60), 24, 'd', 'h')
}

/** Whole seconds, at least one: for time that is left or that passed. */
export const spanText = (seconds: number): string =>
  durationText(Math.max(1, Math.round(seconds)) * 1_000_000)

const rounded = (value: number, parts: number): number => Math.round(value * parts) / parts

const pair = (count: number, size: number, large: string, small: string): string =>
  `${Math.floor(count / size)} ${large}${count % size === 0 ? '' : ` ${count % size} ${small}`}`
