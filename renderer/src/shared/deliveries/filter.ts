import type { Problem } from '#core/filter/problem.ts'
import { loadLanguage, parsed } from '@/shared/live/membership.ts'
import { store } from '@/shared/live/store.ts'
import { openList } from './list.ts'

/** Debounce of typing: long enough to skip single letters, short enough to feel immediate. */
const TYPING_MS = 120

interface Typed {
  readonly text: string
  /** Problem of the typed filter; the list keeps the last valid filter. */
  readonly problem: Problem | null
}

let timer: ReturnType<typeof setTimeout> | undefined
let opened = ''
let asked = 0

/** Problem in a filter that parses: an expression that only its own compiler can check. */
async function problemOf(text: string): Promise<Problem | null> {
  await loadLanguage()
  const result = parsed(text)
  if (result?.ok === false) return result
  if (!text.includes('/')) return null
  return (await import('#core/filter/regex.ts')).regexProblem(text)
}

const keep = async (filter: string) => (await loadLanguage()).keepInHistory(filter)

/** Typed text may be half a filter, so only Enter and buttons store it. @returns whether the list uses it now */
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
  /** For buttons: applies immediately. */
  set: (text: string) => {
    set(taken(text))
    void open(text).then((right) => (right ? keep(text.trim()) : undefined))
  },
  /** For Enter: applies without debounce. @returns whether the list uses it now; false for an invalid filter */
  enter: async () => {
    const { text } = useFilter.getState()
    const right = await open(text)
    if (right) void keep(text.trim())
    return right
  },
  /** For links, before the first draw: the first rows already match it. */
  restore: (text: string) => {
    opened = text.trim()
    openList(opened)
    set({ text })
    void problemOf(text).then((problem) =>
      set((state) => (state.text === text ? { ...state, problem } : state)),
    )
  },
}))
