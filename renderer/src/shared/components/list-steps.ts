import { useId, useLayoutEffect } from 'react'

/** The row that a key goes to; undefined where there is none. @param at -1: none yet @param page whole rows in sight */
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

/** Keeps the one pointed at in sight. In a block: newer browsers give a promise back from scrolling, which React would take for a clean-up. */
export function showOption(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}

type Step = (key: 'ArrowDown' | 'ArrowUp') => void

const steps = new Map<string, Step>()

/** Lets the screen take a step in a list that has not the focus. @returns the list's `data-steps` */
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
