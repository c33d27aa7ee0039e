import { useId, useLayoutEffect } from 'react'

/** The row to which a key moves; undefined where there is none. @param at -1: no cursor yet @param page number of whole rows in view */
export function rowFor(key: string, at: number, page: number, count: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    j: at + 1,
    ArrowUp: at - 1,
    k: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: count - 1,
  }
  const target = targets[key]
  return target === undefined || count === 0 ? undefined : Math.max(0, Math.min(count - 1, target))
}

/** Scrolls the active option into view. The block matters: newer browsers return a promise, which React would take for a clean-up. */
export function showOption(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}

type Step = (key: 'ArrowDown' | 'ArrowUp') => void

const steps = new Map<string, Step>()

/** Lets the screen step through a list that does not have the focus. @returns the list's `data-steps` */
export function useListSteps(step: Step): string {
  const id = useId()
  useLayoutEffect(() => {
    steps.set(id, step)
    return () => void steps.delete(id)
  })
  return id
}

export function listWithSteps(): { readonly list: HTMLElement; readonly step: Step } | null {
  const list = document.querySelector<HTMLElement>('main [data-steps]')
  const step = steps.get(list?.dataset.steps ?? '')
  return list && step ? { list, step } : null
}
