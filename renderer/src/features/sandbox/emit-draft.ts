import { create } from 'zustand'
import { type Kind, kindSpec } from '#catalog/kinds.ts'
import type { SandboxEmitted } from '#contract/sandbox.ts'
import { api } from '@/shared/live/api.ts'
import { followRun } from './runs.ts'

interface Draft {
  /** As the sandbox would send it. */
  readonly made: string
  /** What it was drawn from: the same seed emits the same data. */
  readonly seed: number
  /** As it stands in the editor. */
  readonly text: string
}

interface EmitDrafts {
  readonly kind: Kind
  readonly count: number | null
  /** By kind, so that nothing typed is lost by looking at another one. */
  readonly drafts: Readonly<Partial<Record<Kind, Draft>>>
  choose(kind: Kind): void
  setCount(count: number | null): void
  write(text: string): void
  /** Asks for other data of a kind. @throws RefusalError */
  draw(kind: Kind): Promise<void>
}

/** A seed of its own for every body: 32 bits, as the sandbox takes them. */
const newSeed = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0

export const useEmitDraft = create<EmitDrafts>()((set, get) => ({
  kind: 'factura.created',
  count: 1,
  drafts: {},
  choose: (kind) => set({ kind }),
  setCount: (count) => set({ count }),
  write: (text) => {
    const { kind, drafts } = get()
    const draft = drafts[kind]
    if (draft) set({ drafts: { ...drafts, [kind]: { ...draft, text } } })
  },
  draw: async (kind) => {
    const seed = newSeed()
    const { body: made } = await api.call('sandbox.preview', { kind, seed })
    set(({ drafts }) => ({ drafts: { ...drafts, [kind]: { made, seed, text: made } } }))
  },
}))

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

/** The documents that the sync routes list, by the events that are about them. */
const LISTED: ReadonlySet<string> = new Set(['invoices', 'credit', 'debit', 'expenses', 'dgii'])
/** The sandbox makes these from nothing, so nothing comes before them. */
const FIRST: ReadonlySet<Kind> = new Set<Kind>(['factura.created', 'gasto.created'])

/** Whether an event of this kind, sent alone, leaves out earlier ones that Reconcile can prove to be missing. */
export const withholdsEarlier = (kind: Kind): boolean =>
  LISTED.has(kindSpec(kind)?.group ?? '') && !FIRST.has(kind)
