import type { Kind } from '#catalog/kinds.ts'
import type { DeliveryMethod } from '#catalog/service.ts'

export interface CustomHeader {
  readonly name: string
  readonly value: string
}

/** What a person sets for a subscription (What the service does, rule 6). */
export interface SubscriptionSettings {
  readonly name: string
  readonly url: string
  readonly method: DeliveryMethod
  /** Sent with every delivery, in this order and spelling; no bound on the count. */
  readonly headers: readonly CustomHeader[]
  readonly kinds: readonly Kind[]
  readonly active: boolean
}

export interface Subscription extends SubscriptionSettings {
  readonly id: number
}
