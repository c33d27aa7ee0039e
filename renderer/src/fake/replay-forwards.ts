import type { Params } from '#contract/commands.ts'
import { AcuseError } from '#contract/errors.ts'
import type { ForwardLane, ForwardState } from '#contract/replay.ts'
import { readFilter } from '#core/filter/read.ts'

const lane = (target: string, enabled: boolean): ForwardLane => ({
  target,
  state: enabled ? 'idle' : 'off',
  waiting: 0,
  sent: 0,
  failed: 0,
  dropped: 0,
  lastError: null,
  stall: null,
  downSince: null,
  nextTryAt: null,
})

/** Forwards that keep still: what their lanes say is set by whoever looks at them. */
export class FakeForwards {
  list: readonly ForwardState[] = []
  /** Tells the window. */
  changed: (forwards: readonly ForwardState[]) => void = () => undefined

  save({ previousName, ...forward }: Params<'forwards.save'>): readonly ForwardState[] {
    readFilter(forward.filter)
    const present = this.list.find((one) => one.name === previousName)
    if (this.list.some((one) => one !== present && one.name === forward.name))
      throw new AcuseError('conflict', `There is already a forward named "${forward.name}".`, {
        path: 'name',
      })
    const lanes = forward.targets.map((target) => {
      const before = present?.lanes.find((one) => one.target === target)
      return before && forward.enabled === present?.enabled ? before : lane(target, forward.enabled)
    })
    const saved = { ...forward, lanes }
    this.set(present ? this.list.map((one) => (one === present ? saved : one)) : [...this.list, saved])
    return this.list
  }

  remove(name: string): readonly ForwardState[] {
    this.set(this.list.filter((one) => one.name !== name))
    return this.list
  }

  retry(name: string): readonly ForwardState[] {
    this.set(
      this.list.map((one) =>
        one.name === name
          ? {
              ...one,
              lanes: one.lanes.map((l) =>
                l.state === 'down'
                  ? { ...l, state: 'sending' as const, downSince: null, nextTryAt: null }
                  : l,
              ),
            }
          : one,
      ),
    )
    return this.list
  }

  clear(name: string, target: string): { cleared: number } {
    let cleared = 0
    this.set(
      this.list.map((one) => ({
        ...one,
        lanes: one.lanes.map((l) => {
          if (one.name !== name || l.target !== target) return l
          cleared = l.waiting
          return { ...l, waiting: 0, dropped: l.dropped + l.waiting }
        }),
      })),
    )
    return { cleared }
  }

  set(forwards: readonly ForwardState[]): void {
    this.list = forwards
    this.changed(forwards)
  }
}
