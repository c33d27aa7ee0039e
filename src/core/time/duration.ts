/** `0.8 ms`, `12 ms`, `1.2 s`, `2 min 5 s`: no more digits than a reader compares. English and Dominican Spanish write all of them alike. */
export function durationText(micros: number): string {
  const ms = micros / 1_000
  if (ms < 999.5) return `${rounded(ms, ms < 0.095 ? 100 : ms < 9.95 ? 10 : 1)} ms`
  const exact = ms / 1_000
  if (exact < 59.95) return `${rounded(exact, 10)} s`
  const seconds = Math.round(exact)
  return seconds < 3_600 ? pair(seconds, 'min', 's') : pair(Math.round(seconds / 60), 'h', 'min')
}

const rounded = (value: number, parts: number): number => Math.round(value * parts) / parts

const pair = (sixtieths: number, large: string, small: string): string =>
  `${Math.floor(sixtieths / 60)} ${large}${sixtieths % 60 === 0 ? '' : ` ${sixtieths % 60} ${small}`}`
