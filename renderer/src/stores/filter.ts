import { create } from 'zustand'
import type { Problem } from '#core/filter/problem.ts'
import { openList } from '@/live/list.ts'
import { parsed } from '@/live/membership.ts'

/** From the last keystroke to the question: long enough not to ask for every letter, short enough to feel direct. */
const TYPING_MS = 120

interface FilterStore {
  /** As typed. */
  readonly text: string
  /** What is wrong with it; the list keeps showing the last filter that was right. */
  readonly problem: Problem | null
  /** While typing. */
  type(text: string): void
  /** From a button: takes effect at once. */
  set(text: string): void
}

let timer: ReturnType<typeof setTimeout> | undefined
let opened = ''

function open(text: string): void {
  clearTimeout(timer)
  const filter = text.trim()
  if (filter === opened || !parsed(text).ok) return
  opened = filter
  openList(filter)
}

const taken = (text: string): Pick<FilterStore, 'text' | 'problem'> => {
  const result = parsed(text)
  return { text, problem: result.ok ? null : result }
}

export const useFilter = create<FilterStore>()((set) => ({
  text: '',
  problem: null,
  type: (text) => {
    set(taken(text))
    clearTimeout(timer)
    timer = setTimeout(() => open(text), TYPING_MS)
  },
  set: (text) => {
    set(taken(text))
    open(text)
  },
}))
