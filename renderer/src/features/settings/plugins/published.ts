import { create } from 'zustand'
import type { PluginEventType } from '#catalog/service.ts'
import type { Refusal } from '#contract/errors.ts'
import type { PublishAnswer } from '#contract/reconcile.ts'
import { api } from '@/shared/live/api.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'

interface PluginDraft {
  /** Name of a connection; null: the first one with a plugin token. */
  readonly connection: string | null
  readonly eventType: PluginEventType
  /** Edited data by event, so that switching between events loses no edit. */
  readonly texts: Readonly<Partial<Record<PluginEventType, string>>>
}

/** The draft, kept while other screens are open. */
export const usePluginDraft = create<PluginDraft>()(() => ({
  connection: null,
  eventType: 'cobro.registrado',
  texts: {},
}))
export const writeDraft = (eventType: PluginEventType, text: string): void =>
  usePluginDraft.setState(({ texts }) => ({ eventType, texts: { ...texts, [eventType]: text } }))

/** Limit of kept events, because each holds its whole data. */
export const MOST_KEPT = 100

export interface PluginEvent {
  readonly connection: string
  readonly eventType: PluginEventType
  readonly data: string | null
}

export interface PublishedEvent extends PluginEvent {
  readonly id: number
  /** Microseconds since the epoch. */
  readonly at: number
  readonly outcome:
    | { readonly is: 'sending' }
    | { readonly is: 'answer'; readonly answer: PublishAnswer }
    | { readonly is: 'refused'; readonly refusal: Refusal }
}

interface PublishedEvents {
  /** Newest first. */
  readonly events: readonly PublishedEvent[]
  readonly shown: number | null
}

/** Events published from this window. In memory only, because users typed their data. */
export const usePublished = create<PublishedEvents>()(() => ({ events: [], shown: null }))
const set = usePublished.setState

export const clearPublished = (): void =>
  set(({ events }) => {
    const kept = events.filter(({ outcome }) => outcome.is === 'sending')
    return { events: kept, shown: kept[0]?.id ?? null }
  })

/** Publishes an event, and keeps its answer or refusal with it. Never throws. */
export async function publish(event: PluginEvent): Promise<void> {
  const id = (usePublished.getState().events[0]?.id ?? 0) + 1
  const begun: PublishedEvent = { ...event, id, at: Date.now() * 1_000, outcome: { is: 'sending' } }
  set(({ events }) => ({ events: [begun, ...events].slice(0, MOST_KEPT), shown: id }))
  const { data, ...rest } = event
  const outcome = await api.call('plugins.publish', { ...rest, ...(data === null ? {} : { data }) }).then(
    (answer) => ({ is: 'answer', answer }) as const,
    (error: unknown) => ({ is: 'refused', refusal: refusalOf(error) }) as const,
  )
  set(({ events }) => ({ events: events.map((one) => (one.id === id ? { ...one, outcome } : one)) }))
}
