import { type KeyboardEvent, useDeferredValue, useId, useMemo, useRef } from 'react'
import type { Place } from '#core/json/place.ts'
import type { JsonEditorHandle } from './json-editor.tsx'

/**
 * A pane in which JSON is written, judged and sent: what its editor, its notes and its footer share.
 * @param judge says in `place` where the text cannot be sent as it stands
 * @param send takes what was judged of the text as it stands when it is sent
 */
export function useJsonPane<C extends object>(
  text: string,
  judge: (text: string) => C,
  send: (check: C) => void,
) {
  const notes = useId()
  const editor = useRef<JsonEditorHandle>(null)
  // Judging a large text must not hold up the typing.
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
    /** Ctrl+Enter, wherever the focus stands inside of the element. */
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      submit()
    },
    editor: { ref: editor, value: text, wrongLine: wrong?.line ?? null, describedBy: notes },
  }
}

const placeOf = (check: object & { readonly place?: Place }): Place | null => check.place ?? null
