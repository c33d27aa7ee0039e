import type { Problem } from '#core/filter/problem.ts'
import { loadLanguage, parsed } from '@/shared/live/membership.ts'
import { store } from '@/shared/live/store.ts'
import { openList } from './list.ts'

/** From the last keystroke to the question: long enough not to ask for every letter, short enough to feel direct. */
const TYPING_MS = 120

interface Typed {
  readonly text: string
  /** What is wrong with it; the list keeps showing the last filter that was right. */
  readonly problem: Problem | null
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

const taken = (text: string): Typed => {
  const result = parsed(text)
  return { text, problem: result?.ok === false ? result : null }
}

export const useFilter = store<Typed>({ text: '', problem: null })((set) => ({
  type: (text: string) => {
    set(taken(text))
    clearTimeout(timer)
    timer = setTimeout(() => void open(text), TYPING_MS)
  },
  /** From a button: takes effect at once. */
  set: (text: string) => {
    set(taken(text))
    void open(text).then((right) => (right ? keep(text.trim()) : undefined))
  },
  /** Enter: takes effect at once, however soon another one follows. @returns whether the list goes by it; not where it is wrong */
  enter: async () => {
    const { text } = useFilter.getState()
    const right = await open(text)
    if (right) void keep(text.trim())
    return right
  },
  /** From a link, before anything is drawn: the first rows are already its own. */
  restore: (text: string) => {
    opened = text.trim()
    openList(opened)
    set({ text })
    void problemOf(text).then((problem) =>
      set((state) => (state.text === text ? { ...state, problem } : state)),
    )
  },
}))
