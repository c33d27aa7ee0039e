import type { BodyView, Place } from './protocol.ts'

/**
 * A place in a body as it was typed: `120` a line of the view (in hex the offset of a byte, `0x1f` too), `3:14` line and column of the
 * text as received, `/data/Lines/0` a pointer.
 * @returns null when it is none of these
 */
export function readPlace(typed: string, view: BodyView): Place | null {
  const text = typed.trim()
  if (text.startsWith('/')) return { pointer: text }
  const place = /^(\d{1,9})\s*[:,]\s*(\d{1,9})$/.exec(text)
  if (place) return { line: Math.max(1, Number(place[1])), column: Math.max(1, Number(place[2])) }
  if (view === 'hex' && /^0x[0-9a-f]{1,8}$/i.test(text)) return { offset: Number(text) }
  if (!/^\d{1,10}$/.test(text)) return null
  return view === 'hex' ? { offset: Number(text) } : { number: Math.max(1, Number(text)) }
}
