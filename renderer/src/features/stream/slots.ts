import { type ComponentType, createContext, type ReactNode, useContext } from 'react'

/** Views of other features inside the stream, set by the window's routes. */
export interface StreamSlots {
  readonly DetailPane: ComponentType<{ readonly id: number; readonly actions: ReactNode }>
  readonly Checklist: ComponentType<{ readonly heading: 'h2' }>
}

export const SlotsContext = createContext<StreamSlots | null>(null)

/** @throws Error outside the stream's screen */
export function useSlots(): StreamSlots {
  const slots = useContext(SlotsContext)
  if (!slots) throw new Error('The stream is drawn by its screen only.')
  return slots
}
