/** Offset at the end of a date-time, in minutes east of UTC; 0 for `Z` or none. */
function offsetOf(text: string): number {
  const parts = /([+-])(\d\d):?(\d\d)?$/.exec(text)
  if (!parts) return 0
  return (parts[1] === '-' ? -1 : 1) * (Number(parts[2]) * 60 + Number(parts[3] ?? '0'))
}

const two = (value: number): string => String(value).padStart(2, '0')

/**
 * An instant as an ISO 8601 date-time with the offset of another one, with as many digits of the second as it needs.
 * @param instant microseconds since the epoch
 * @param like a date-time whose offset is taken; UTC is written `+00:00`
 */
export function instantText(instant: number, like: string): string {
  const offset = offsetOf(like)
  const micros = ((instant % 1_000_000) + 1_000_000) % 1_000_000
  const local = new Date((instant - micros) / 1_000 + offset * 60_000)
  const fraction = micros === 0 ? '' : `.${String(micros).padStart(6, '0').replace(/000$/, '')}`
  const away = Math.abs(offset)
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(away / 60))}:${two(away % 60)}`
  return `${local.toISOString().slice(0, 19)}${fraction}${zone}`
}
