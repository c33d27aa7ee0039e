const stale = new Set<() => void>()

/** @param clear removes the notice of a finished act; notices of running acts stay */
export const onAct = (clear: () => void): void => void stale.add(clear)

/** The user starts a new act: finished notices go, or an old success would stand beside a new error. */
export function beginAct(): void {
  for (const clear of stale) clear()
}
