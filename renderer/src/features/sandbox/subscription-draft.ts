import { KINDS, type Kind } from '#catalog/kinds.ts'
import type { DeliveryMethod } from '#catalog/service.ts'
import type { SandboxSubscription, SandboxSubscriptionChange } from '#contract/sandbox.ts'
import {
  type HeaderDraft,
  type HeaderError,
  newHeader,
  sentHeaderErrors,
} from '@/shared/headers/header-draft.ts'
import { oddCharacter } from './odd-character.ts'

/** A subscription while it is being edited: whatever was typed, right or not. */
export interface SubscriptionDraft {
  readonly name: string
  readonly url: string
  readonly method: DeliveryMethod
  readonly headers: readonly HeaderDraft[]
  readonly kinds: readonly Kind[]
  readonly active: boolean
}

const LONGEST_URL = 8_192
/** Keys of sandbox:subscriptions.errors. */
type UrlError = 'url' | 'scheme' | 'credentials' | 'long' | 'character'
/** Keys of sandbox:subscriptions.errors. */
export type SubscriptionError = UrlError | HeaderError
/** Where an error stands: a field, or `header-name-3`. */
export type SubscriptionErrors = ReadonlyMap<string, SubscriptionError>

export function draftOf(subscription: SandboxSubscription | null): SubscriptionDraft {
  return {
    name: subscription && subscription.name !== subscription.url ? subscription.name : '',
    url: subscription?.url ?? '',
    method: subscription?.method ?? 'POST',
    headers:
      subscription?.headers.map(({ name, value, masked }) =>
        newHeader(masked ? { name, kept: value, secret: true } : { name, value }),
      ) ?? [],
    kinds: subscription?.kinds ?? KINDS.map(({ kind }) => kind),
    active: subscription?.active ?? true,
  }
}

/** What is wrong with an address to send to, or null. */
export function urlError(text: string): UrlError | null {
  if (text.length > LONGEST_URL) return 'long'
  if (oddCharacter(text)) return 'character'
  if (!URL.canParse(text)) return 'url'
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'scheme'
  return url.username !== '' || url.password !== '' ? 'credentials' : null
}

/** What the sandbox would refuse, told while typing. It checks again, and is right. */
export function errorsOf(draft: SubscriptionDraft): SubscriptionErrors {
  const errors = new Map<string, SubscriptionError>()
  const url = urlError(draft.url.trim())
  if (url) errors.set('url', url)
  for (const [place, error] of sentHeaderErrors(draft.headers)) errors.set(place, error)
  return errors
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|.+\.localhost)$/

/** Authentication, rule 2: HTTPS should always be used; a computer's own address never leaves it. */
export function isPlainBeyondLoopback(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'http:' && !LOOPBACK.test(hostname)
}

export function changeOf(draft: SubscriptionDraft, id: number | undefined): SandboxSubscriptionChange {
  const url = draft.url.trim()
  return {
    ...(id === undefined ? {} : { id }),
    name: draft.name.trim() === '' ? url.slice(0, 200) : draft.name.trim(),
    url,
    method: draft.method,
    headers: draft.headers.map(({ name, value, kept }) => ({
      name,
      value: kept !== null && value === '' ? null : value,
    })),
    kinds: draft.kinds,
    active: draft.active,
  }
}
