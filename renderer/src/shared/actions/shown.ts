import { useLayoutEffect } from 'react'

/** The view that an action acts on, while there is one. */
export interface Shown<T> {
  /** Null while no such view is shown. */
  now(): T | null
  /** Shows the view for as long as the component that calls it stands. */
  useShown(view: T): void
}

/** How an action reaches a view: the view shows itself here, and the action takes what is shown. */
export function createShown<T>(): Shown<T> {
  let views: readonly { readonly current: T }[] = []
  return {
    now: () => views.at(-1)?.current ?? null,
    useShown(view) {
      useLayoutEffect(() => {
        const mine = { current: view }
        views = [...views, mine]
        return () => {
          views = views.filter((one) => one !== mine)
        }
      })
    },
  }
}
