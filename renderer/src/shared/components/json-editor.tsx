import {
  type KeyboardEvent,
  type Ref,
  useDeferredValue,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
} from 'react'
import type { Place } from '#core/json/scan.ts'
import { cx } from '@/shared/components/cx.ts'

export interface JsonEditorHandle {
  /** Moves the caret to a 1-based place and scrolls it into view. */
  goTo(line: number, column: number): void
}

export interface JsonEditorProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly wrongLine: number | null
  readonly describedBy?: string | undefined
  readonly ref?: Ref<JsonEditorHandle>
}

const LINE = 18
const OPENING = /[[{]\s*$/

/** Offset of a place in a text; beyond the end for a place that does not exist. */
function offsetOf(text: string, line: number, column: number): number {
  let from = 0
  for (let n = 1; n < line; n++) {
    const end = text.indexOf('\n', from)
    if (end < 0) return text.length
    from = end + 1
  }
  return Math.min(text.length, from + column - 1)
}

/** A native textarea, so that undo, selection, input methods and assistive technology work as users know them. */
export function JsonEditor({ label, value, onChange, wrongLine, describedBy, ref }: JsonEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const numbers = useRef<HTMLDivElement>(null)
  const lines = useMemo(() => value.split('\n').length, [value])
  const [before, after] = useMemo(() => {
    const all = Array.from({ length: lines }, (_, i) => String(i + 1))
    const at = wrongLine === null ? lines : Math.min(lines, wrongLine) - 1
    return [all.slice(0, at).join('\n'), all.slice(at + 1).join('\n')]
  }, [lines, wrongLine])

  useImperativeHandle(ref, () => ({
    goTo(line, column) {
      const field = area.current
      if (!field) return
      const at = offsetOf(field.value, line, column)
      field.focus()
      field.setSelectionRange(at, Math.min(field.value.length, at + 1))
      field.scrollTop = Math.max(0, (line - 1) * LINE - field.clientHeight / 2)
    },
  }))

  /** Keeps the previous line's indentation. execCommand, because only its edits enter the native undo history. */
  const indent = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const field = event.currentTarget
    const line = field.value.slice(field.value.lastIndexOf('\n', field.selectionStart - 1) + 1)
    const present = /^[ \t]*/.exec(line)?.[0] ?? ''
    const head = field.value.slice(0, field.selectionStart)
    event.preventDefault()
    document.execCommand('insertText', false, `\n${present}${OPENING.test(head) ? '  ' : ''}`)
  }
  return (
    <div
      className={cx(
        'relative grid grid-rows-[minmax(0,1fr)] grid-cols-[auto_minmax(0,1fr)] min-h-0 bg-bg code-s-row',
        '[font-variant-ligatures:none]',
        'focus-within:focus-inset',
        'forced-colors:focus-within:outline-2 forced-colors:focus-within:outline-[Highlight]',
        'forced-colors:focus-within:-outline-offset-2',
      )}
    >
      <div
        className="overflow-hidden min-w-46 pt-8 pr-10 pb-8 pl-14 text-fg-3 text-xs leading-18 text-right select-none"
        aria-hidden="true"
      >
        <div ref={numbers} className="whitespace-pre will-change-transform">
          {before}
          {wrongLine === null || wrongLine > lines ? null : (
            <span className="text-invalid font-bold">
              {before === '' ? '' : '\n'}
              {wrongLine}
              {after === '' ? '' : '\n'}
            </span>
          )}
          {after}
        </div>
      </div>
      <textarea
        ref={area}
        className={cx(
          'min-w-0 m-0 py-8 pr-12 pl-0 border-0 bg-transparent text-fg [font-variant-ligatures:none]',
          'whitespace-pre overflow-auto overscroll-contain resize-none outline-none [tab-size:2]',
        )}
        aria-label={label}
        aria-describedby={describedBy}
        aria-invalid={wrongLine === null ? undefined : true}
        wrap="off"
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        value={value}
        onKeyDown={indent}
        onChange={(event) => onChange(event.target.value)}
        onScroll={(event) => {
          if (numbers.current)
            numbers.current.style.transform = `translateY(${-event.currentTarget.scrollTop}px)`
        }}
      />
    </div>
  )
}

/**
 * State of a pane that edits, checks and sends JSON, shared by its editor, notes and footer.
 * @param judge returns in `place` where the text is invalid for sending
 * @param send receives the check result of the current text
 */
export function useJsonPane<C extends object>(
  text: string,
  judge: (text: string) => C,
  send: (check: C) => void,
) {
  const notes = useId()
  const editor = useRef<JsonEditorHandle>(null)
  // Deferred, because checking a large text would block typing; but a first text is not told to be empty.
  const judged = useDeferredValue(text) || text
  const check = useMemo(() => judge(judged), [judged, judge])
  const goTo = (line: number, column: number) => editor.current?.goTo(line, column)
  const submit = () => {
    const now = judge(text)
    const place = placeOf(now)
    if (place) goTo(place.line, place.column)
    else send(now)
  }
  const wrong = placeOf(check)
  return {
    check,
    wrong: wrong !== null,
    submit,
    goTo,
    notes,
    /** Sends on Ctrl+Enter from anywhere inside the element. */
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      submit()
    },
    editor: { ref: editor, value: text, wrongLine: wrong?.line ?? null, describedBy: notes },
  }
}

const placeOf = (check: object & { readonly place?: Place }): Place | null => check.place ?? null
