const stale = new Set<() => void>()

/** @param clear takes away the notice of an act that is over; what still runs stays */
export const onAct = (clear: () => void): void => void stale.add(clear)

/** The user does something new: results of former acts go, or a success that is over would stand beside the error of this one. */
export function beginAct(): void {
  for (const clear of stale) clear()
}
