import { useEffect, useRef, useState } from 'react'
import type { BodyHandle } from './client.ts'
import type { BodyView } from './protocol.ts'

export interface Find {
  readonly open: boolean
  readonly asked: number
  readonly text: string
  readonly matchCase: boolean
  readonly count: number | null
  readonly capped: boolean
  readonly index: number
  setText(text: string): void
  setMatchCase(matchCase: boolean): void
  go(by: 1 | -1): void
  ask(): void
  close(): void
}

/** Long enough to type on, short enough to feel immediate. */
const PAUSE_MS = 120

/** @param onFound shows a row, with the number of rows there are now @param redraw marks changed without a row to show */
export function useFind(
  handle: BodyHandle,
  view: BodyView,
  bytesPerRow: number,
  onFound: (row: number, total: number) => void,
  redraw: () => void,
): Find {
  const [asked, setAsked] = useState(0)
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [matchCase, setMatchCase] = useState(false)
  const [result, setResult] = useState<{ count: number; capped: boolean } | null>(null)
  const [index, setIndex] = useState(0)
  const latest = useRef({ view, bytesPerRow, onFound, redraw })
  latest.current = { view, bytesPerRow, onFound, redraw }
  const wanted = open ? text : ''

  const show = async (body: BodyHandle, at: number) => {
    setIndex(at)
    const { view, bytesPerRow } = latest.current
    const { row, total } = await body.call('match', { index: at, view, bytesPerRow })
    latest.current.onFound(row, total)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: `show` only reads what is latest
  useEffect(() => {
    let current = true
    const timer = setTimeout(async () => {
      try {
        const found = await handle.call('find', { text: wanted, matchCase })
        if (!current) return
        setResult(wanted === '' ? null : found)
        latest.current.redraw()
        if (found.count > 0) await show(handle, 0)
      } catch {
        // The body was closed meanwhile; the next one is searched anew.
      }
    }, PAUSE_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [handle, wanted, matchCase])

  return {
    open,
    asked,
    text,
    matchCase,
    count: result?.count ?? null,
    capped: result?.capped ?? false,
    index,
    setText,
    setMatchCase,
    go: (by) => {
      const count = result?.count ?? 0
      if (count > 0) show(handle, (index + by + count) % count).catch(() => undefined)
    },
    ask: () => {
      setOpen(true)
      setAsked((n) => n + 1)
    },
    close: () => setOpen(false),
  }
}
