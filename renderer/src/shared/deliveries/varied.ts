import { create } from 'zustand'
import type { DeliveryRow } from '#contract/delivery.ts'
import { SELF_TEST_METHODS } from '#contract/values.ts'
import { api } from '@/shared/live/api.ts'
import type { ColumnId } from './columns.ts'

interface Varied {
  /** Columns that would say the same, or nothing, in every row until now are not among them. */
  readonly varied: ReadonlySet<ColumnId>
}

export const useVaried = create<Varied>()(() => ({ varied: new Set() }))

/** The request target seen first at each endpoint. */
const targets = new Map<string, string>()

function add(...ids: readonly ColumnId[]): void {
  const { varied } = useVaried.getState()
  if (ids.some((id) => !varied.has(id))) useVaried.setState({ varied: new Set([...varied, ...ids]) })
}

/** Learns from a row which columns have something to tell. */
export function seeRow({ endpoint, method, url, tags, attempts }: DeliveryRow): void {
  const first = targets.get(endpoint)
  if (first === undefined) targets.set(endpoint, url)
  else if (first !== url) add('path')
  if (targets.size > 1) add('endpoint')
  if (method !== SELF_TEST_METHODS[0]) add('method')
  if (tags.length > 0) add('tags')
  if (attempts > 0) add('attempts')
}

/** Asks the store, for what no row on screen tells. A host that refuses costs nothing: rows are seen all the same. */
export async function askVaried(): Promise<void> {
  const counted = async (field: 'endpoint' | 'method' | 'tag' | 'has') =>
    (await api.call('filter.counts', { field, filter: '' }).catch(() => ({ counts: [] }))).counts
  const [endpoints, methods, tags, has] = await Promise.all([
    counted('endpoint'),
    counted('method'),
    counted('tag'),
    counted('has'),
  ])
  if (endpoints.length > 1) add('endpoint')
  if (methods.some(({ value }) => value !== SELF_TEST_METHODS[0])) add('method')
  if (tags.length > 0) add('tags')
  if (has.some(({ value }) => value === 'attempt')) add('attempts')
}
