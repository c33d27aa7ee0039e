import { remember, remembered } from './remembered.ts'

const MOST = 50
const KEY = 'filters'

const read = (stored: unknown): readonly string[] | undefined =>
  Array.isArray(stored) ? stored.filter((one) => typeof one === 'string').slice(0, MOST) : undefined

/** Filters used last in this window, the latest first. */
export const filterHistory = (): readonly string[] => remembered(KEY, read, [])

export function keepInHistory(filter: string): void {
  if (filter === '') return
  remember(KEY, [filter, ...filterHistory().filter((one) => one !== filter)].slice(0, MOST))
}
