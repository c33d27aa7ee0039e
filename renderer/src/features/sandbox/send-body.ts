import type { Kind } from '#catalog/kinds.ts'
import type { SandboxEmitted } from '#contract/sandbox.ts'
import { api } from '@/shared/live/api.ts'
import type { Draft } from './emit-draft.ts'
import { followRun } from './runs.ts'

/** The sandbox makes at most so many at once. */
export const MOST_EMITTED = 1_000
/** Each body as written is a call of its own. */
export const MOST_SENT = 100

/**
 * Fires events of a kind, and follows what becomes of them. As made: the sandbox performs what leads to the event, so that its document
 * stands in the sync routes too. As written: exactly that text goes out, and no document changes.
 * @throws RefusalError
 */
export async function sendBody(kind: Kind, draft: Draft, count: number): Promise<void> {
  const sent: SandboxEmitted[] = []
  if (draft.text === draft.made) sent.push(await api.call('sandbox.emit', { kind, count, seed: draft.seed }))
  else for (let i = 0; i < count; i++) sent.push(await api.call('sandbox.send', { kind, body: draft.text }))
  const events = sent.flatMap((one) => one.events)
  const subjects = new Set(events.map(({ subject }) => subject))
  const [subject = null] = subjects
  // Followed in its own time: the button is free as soon as the events are made.
  void followRun('emit', {
    runs: sent.map(({ run }) => run),
    events: events.length,
    making: false,
    subject: subjects.size === 1 ? subject : null,
  })
}
