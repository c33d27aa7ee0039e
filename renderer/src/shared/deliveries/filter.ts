import { create } from 'zustand'
import type { Problem } from '#core/filter/problem.ts'
import { loadLanguage, parsed } from '@/shared/live/membership.ts'
import { openList } from './list.ts'

/** From the last keystroke to the question: long enough not to ask for every letter, short enough to feel direct. */
const TYPING_MS = 120

interface FilterStore {
  readonly text: string
  /** What is wrong with it; the list keeps showing the last filter that was right. */
  readonly problem: Problem | null
  type(text: string): void
  /** From a button: takes effect at once. */
  set(text: string): void
  /** Enter: takes effect at once, however soon another one follows. @returns whether the list goes by it; not where it is wrong */
  enter(): Promise<boolean>
  /** From a link, before anything is drawn: the first rows are already its own. */
  restore(text: string): void
}

let timer: ReturnType<typeof setTimeout> | undefined
let opened = ''
let asked = 0

/** What is wrong with a filter that parses: an expression in it, which only its own compiler can tell. */
async function problemOf(text: string): Promise<Problem | null> {
  await loadLanguage()
  const result = parsed(text)
  if (result?.ok === false) return result
  if (!text.includes('/')) return null
  return (await import('#core/filter/regex.ts')).regexProblem(text)
}

const keep = async (filter: string) => (await loadLanguage()).keepInHistory(filter)

/** What was typed and not entered may be half a filter: only Enter and buttons keep one. @returns whether the list goes by it now */
async function open(text: string): Promise<boolean> {
  clearTimeout(timer)
  const filter = text.trim()
  const wanted = ++asked
  if (filter === opened) return true
  const problem = filter === '' ? null : await problemOf(text)
  if (wanted !== asked) return false
  if (problem) {
    useFilter.setState((state) => (state.text === text ? { problem } : state))
    return false
  }
  opened = filter
  openList(filter)
  return true
}

const taken = (text: string): Pick<FilterStore, 'text' | 'problem'> => {
  const result = parsed(text)
  return { text, problem: result?.ok === false ? result : null }
}

export const useFilter = create<FilterStore>()((set) => ({
  text: '',
  problem: null,
  type: (text) => {
    set(taken(text))
    clearTimeout(timer)
    timer = setTimeout(() => void open(text), TYPING_MS)
  },
  set: (text) => {
    set(taken(text))
    void open(text).then((right) => (right ? keep(text.trim()) : undefined))
  },
  enter: async () => {
    const { text } = useFilter.getState()
    const right = await open(text)
    if (right) void keep(text.trim())
    return right
  },
  restore: (text) => {
    opened = text.trim()
    openList(opened)
    set({ text })
    void problemOf(text).then((problem) =>
      set((state) => (state.text === text ? { ...state, problem } : state)),
    )
  },
}))
