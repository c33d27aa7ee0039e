import { useId, useLayoutEffect } from 'react'

type Step = (key: 'ArrowDown' | 'ArrowUp') => void

const steps = new Map<string, Step>()

/**
 * Lets the screen take a step in a list that has not the focus, as an arrow does in one that has.
 * @returns the list's `data-steps`
 */
export function useListSteps(step: Step): string {
  const id = useId()
  useLayoutEffect(() => {
    steps.set(id, step)
    return () => void steps.delete(id)
  })
  return id
}

/** The first list on the screen that takes steps. */
export function listWithSteps(): { readonly list: HTMLElement; readonly step: Step } | null {
  const list = document.querySelector<HTMLElement>('main [data-steps]')
  const step = steps.get(list?.dataset.steps ?? '')
  return list && step ? { list, step } : null
}
