import { useState } from 'react'

export interface Opening {
  /** Key of the row that is open. */
  readonly open: string | null
  readonly onOpen: (key: string | null) => void
  /** Enter on the row that is open already. */
  readonly onEnter: () => void
}

/** The row of a grid that is pointed at; the one that is open goes along with it. */
export function useOpening(
  row: (index: number) => { readonly key: string } | undefined,
  { open, onOpen, onEnter }: Opening,
) {
  const [at, setAt] = useState(-1)
  return {
    at,
    setAt,
    point(index: number): void {
      setAt(index)
      const pointed = row(index)
      if (open !== null && pointed) onOpen(pointed.key)
    },
    /** @returns whether there is a row to open */
    enter(): boolean {
      const pointed = row(at)
      if (!pointed) return false
      if (open === pointed.key) onEnter()
      else onOpen(pointed.key)
      return true
    },
  }
}
