import { type KeyboardEvent, useDeferredValue, useId, useMemo, useRef } from 'react'
import type { Place } from '#core/json/place.ts'
import type { JsonEditorHandle } from './json-editor.tsx'

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
  // Deferred, because checking a large text would block typing.
  const judged = useDeferredValue(text)
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
