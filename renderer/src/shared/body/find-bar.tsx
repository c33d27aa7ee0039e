import { CaseSensitive, ChevronDown, ChevronUp, X } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { useTexts } from '@/shared/i18n/format.ts'
import type { BodyHandle } from './open-body.ts'
import type { BodyView, Place } from './protocol.ts'

/** Long enough to type on, short enough to feel immediate. */
const PAUSE_MS = 120

/** @param onFound shows a row, with the number of rows there are now @param redraw marks changed without a row to show */
export function useFind(
  handle: BodyHandle,
  view: BodyView,
  bytesPerRow: number,
  onFound: (row: number, total: number) => void,
  redraw: () => void,
) {
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
    go: (by: 1 | -1) => {
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

/** Find in the body: Enter goes on, Shift+Enter back, Esc closes. */
export function FindBar({ find }: { readonly find: ReturnType<typeof useFind> }) {
  const { t, format } = useTexts('detail')
  const field = useRef<HTMLInputElement>(null)
  const { asked } = find
  // Asking again (Ctrl+F while open) puts the focus back and marks what is there, as browsers do.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` counts the askings
  useLayoutEffect(() => field.current?.select(), [asked])
  const count =
    find.count === null
      ? ''
      : find.count === 0
        ? t('find.none')
        : t('find.place', {
            index: format.number(find.index + 1),
            of: `${format.number(find.count)}${find.capped ? '+' : ''}`,
          })
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is not in every supported Chromium's tree
    <div role="search" className="grid grid-cols-[minmax(0,1fr)_repeat(4,auto)] gap-2 pr-8 pb-6 pl-14">
      <TextField
        ref={field}
        label={t('find.label')}
        hideLabel
        mono
        placeholder={t('find.label')}
        value={find.text}
        onChange={find.setText}
        onEnter={(event) => find.go(event.shiftKey ? -1 : 1)}
        onEscape={find.close}
        trailing={
          <span role="status" className="pr-6 text-fg-3 text-xs tabular-nums whitespace-nowrap">
            {count}
          </span>
        }
      />
      <IconButton
        label={t('find.case')}
        icon={<CaseSensitive />}
        pressed={find.matchCase}
        onClick={() => find.setMatchCase(!find.matchCase)}
      />
      <IconButton label={t('find.previous')} kbd="⇧ Enter" icon={<ChevronUp />} onClick={() => find.go(-1)} />
      <IconButton label={t('find.next')} kbd="Enter" icon={<ChevronDown />} onClick={() => find.go(1)} />
      <IconButton label={t('find.close')} kbd="Esc" icon={<X />} onClick={find.close} />
    </div>
  )
}

interface GoToBarProps {
  readonly view: BodyView
  readonly onGo: (place: Place) => void
  readonly onClose: () => void
}

/** Asks for a place in the body: a line of the view, a line and column of the text, a pointer, or in hex an offset. */
export function GoToBar({ view, onGo, onClose }: GoToBarProps) {
  const { t } = useTexts('detail')
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])
  const go = () => {
    const place = readPlace(text, view)
    setWrong(place === null)
    if (place) onGo(place)
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-2 items-start pr-8 pb-6 pl-14">
      <TextField
        ref={field}
        label={t('goTo.label')}
        hideLabel
        mono
        placeholder={t(view === 'hex' ? 'goTo.hintHex' : 'goTo.hint')}
        value={text}
        error={wrong ? t(view === 'hex' ? 'goTo.wrongHex' : 'goTo.wrong') : null}
        onChange={(next) => {
          setText(next)
          setWrong(false)
        }}
        onEnter={go}
        onEscape={onClose}
      />
      <IconButton label={t('goTo.close')} kbd="Esc" icon={<X />} onClick={onClose} />
    </div>
  )
}

/** `120`: a line of the view (in hex an offset, `0x1f` too); `3:14`: line and column as received; `/data/Lines/0`: a pointer; else null. */
export function readPlace(typed: string, view: BodyView): Place | null {
  const text = typed.trim()
  if (text.startsWith('/')) return { pointer: text }
  const place = /^(\d{1,9})\s*[:,]\s*(\d{1,9})$/.exec(text)
  if (place) return { line: Math.max(1, Number(place[1])), column: Math.max(1, Number(place[2])) }
  if (view === 'hex' && /^0x[0-9a-f]{1,8}$/i.test(text)) return { offset: Number(text) }
  if (!/^\d{1,10}$/.test(text)) return null
  return view === 'hex' ? { offset: Number(text) } : { number: Math.max(1, Number(text)) }
}
