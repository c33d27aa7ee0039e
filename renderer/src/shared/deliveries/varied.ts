import { create } from 'zustand'
import type { DeliveryRow } from '#contract/delivery.ts'
import type { ColumnId } from './columns.ts'

interface Varied {
  /** Columns whose values differ between rows; constant and empty columns are left out. */
  readonly varied: ReadonlySet<ColumnId>
}

export const useVaried = create<Varied>()(() => ({ varied: new Set() }))

/** First request target seen at each endpoint. */
const targets = new Map<string, string>()

export function addVaried(...ids: readonly ColumnId[]): void {
  const { varied } = useVaried.getState()
  if (ids.some((id) => !varied.has(id))) useVaried.setState({ varied: new Set([...varied, ...ids]) })
}

/** Records from a row which columns vary. */
export function seeRow({ endpoint, method, url, tags, attempts }: DeliveryRow): void {
  const first = targets.get(endpoint)
  if (first === undefined) targets.set(endpoint, url)
  else if (first !== url) addVaried('path')
  if (targets.size > 1) addVaried('endpoint')
  if (method !== 'POST') addVaried('method')
  if (tags.length > 0) addVaried('tags')
  if (attempts > 0) addVaried('attempts')
}
