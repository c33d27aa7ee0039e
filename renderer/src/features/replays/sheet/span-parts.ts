/** A length of time in its two largest units; under a second it is one. */
export function spanParts(
  seconds: number,
): readonly { readonly unit: 'd' | 'h' | 'min' | 's'; readonly value: number }[] {
  const whole = Math.max(1, Math.round(seconds))
  const units = [
    { unit: 'd' as const, value: Math.floor(whole / 86_400) },
    { unit: 'h' as const, value: Math.floor(whole / 3_600) % 24 },
    { unit: 'min' as const, value: Math.floor(whole / 60) % 60 },
    { unit: 's' as const, value: whole % 60 },
  ]
  const first = units.findIndex(({ value }) => value > 0)
  return units.slice(first, first + 2).filter(({ value }) => value > 0)
}
