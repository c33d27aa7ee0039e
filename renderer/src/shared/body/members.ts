import { type JsonLines, KIND, NONE } from './json-lines.ts'
import { pieceEnd, stringEnd } from './json-scanner.ts'
import { CELL_KEPT, type EventModel, MEMBERS_KEPT, type Member, type Members, TEXT_KEPT } from './protocol.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function valueEnd(json: JsonLines, line: number, bytes: Uint8Array): number {
  const end = json.end(line)
  if (json.opens(line) && json.kind(end) !== KIND.close) return bytes.length
  return json.to(end)
}

/** Characters of a JSON string given with its quotes; as sent where its escapes are wrong. */
function unquoted(source: string): string {
  try {
    const value: unknown = JSON.parse(source)
    if (typeof value === 'string') return value
  } catch {
    // Raw control characters and unknown escapes: shown as they came.
  }
  return source.replace(/^"|"$/g, '')
}

/** At most `kept` bytes of text; a cut never splits a character. */
function textOf(bytes: Uint8Array, from: number, to: number, kept: number) {
  const end = pieceEnd(bytes, from, to, kept)
  return { text: decoder.decode(bytes.subarray(from, end)), clipped: end < to }
}

export function nameOf(json: JsonLines, bytes: Uint8Array, line: number): string {
  const key = json.key(line)
  if (key === NONE) return ''
  return unquoted(textOf(bytes, key, stringEnd(bytes, key), 4_096).text)
}

const TYPES: Readonly<Record<number, Member['type']>> = {
  [KIND.string]: 'string',
  [KIND.number]: 'number',
  [KIND.literal]: 'literal',
  [KIND.object]: 'object',
  [KIND.emptyObject]: 'object',
  [KIND.array]: 'array',
  [KIND.emptyArray]: 'array',
}

function memberAt(json: JsonLines, bytes: Uint8Array, line: number, name: string, kept: number): Member {
  const type = TYPES[json.kind(line)] ?? 'literal'
  const { text, clipped } = textOf(bytes, json.from(line), valueEnd(json, line, bytes), kept)
  return {
    line,
    name,
    type,
    text: type === 'string' ? (clipped || json.isCut(line) ? text.slice(1) : unquoted(text)) : text,
    clipped: clipped || json.isCut(line),
    repeated: false,
  }
}

export function membersOf(json: JsonLines, bytes: Uint8Array, line: number, kept = TEXT_KEPT): Members {
  const list: Member[] = []
  const places = new Map<string, number>()
  const named = json.kind(line) === KIND.object
  let total = 0
  for (const child of json.children(line)) {
    total += 1
    if (list.length >= MEMBERS_KEPT) continue
    const name = named ? nameOf(json, bytes, child) : String(total - 1)
    const earlier = named ? places.get(name) : undefined
    if (earlier !== undefined) {
      const known = list[earlier]
      if (known) list[earlier] = { ...known, repeated: true }
    }
    places.set(name, list.length)
    list.push(memberAt(json, bytes, child, name, kept))
  }
  return { line, list, total }
}

/** The value on a line, whole: the characters of a string, anything else as it was sent. A closing bracket is that of its value. */
export function valueOn(
  json: JsonLines,
  bytes: Uint8Array,
  line: number,
): { readonly text: string; readonly type: 'string' | 'number' | 'object' } | null {
  let at = json.kind(line) === KIND.close ? json.parent(line) : line
  while (at > 0 && json.kind(at) === KIND.continuation) at -= 1
  if (at >= json.count || json.kind(at) === KIND.tail) return null
  const text = decoder.decode(bytes.subarray(json.from(at), valueEnd(json, at, bytes)))
  if (json.kind(at) === KIND.string) return { text: unquoted(text), type: 'string' }
  return { text, type: /^[[{]/.test(text) ? 'object' : 'number' }
}

/** The member that counts under a name: the exact one, else the one in another case; of several the last (readings, The envelope). */
export const memberCounting = (members: readonly Member[], name: string): Member | undefined =>
  members.findLast((member) => member.name === name) ??
  members.findLast((member) => member.name.toLowerCase() === name.toLowerCase())

export function eventModel(json: JsonLines, bytes: Uint8Array): EventModel {
  const none: EventModel = { root: 'none', envelope: null, data: null, accounting: null, lines: null }
  if (json.count === 0 || json.kind(0) === KIND.tail) return none
  const rootKind = json.kind(0)
  if (rootKind === KIND.emptyObject) {
    return { ...none, root: 'object', envelope: { line: 0, list: [], total: 0 } }
  }
  if (rootKind !== KIND.object) return { ...none, root: 'other' }
  const envelope = membersOf(json, bytes, 0)
  const inside = (within: Members | null, name: string): Members | null => {
    const member = memberCounting(within?.list ?? [], name)
    return member?.type === 'object' ? membersOf(json, bytes, member.line) : null
  }
  const data = inside(envelope, 'data')
  const lines = memberCounting(data?.list ?? [], 'Lines')
  return {
    root: 'object',
    envelope,
    data,
    accounting: inside(data, 'Accounting'),
    lines:
      lines?.type === 'array'
        ? { line: lines.line, count: json.childCount(lines.line, Number.MAX_SAFE_INTEGER) }
        : null,
  }
}

/** Members of the items from..from+count of a list; an item that is no object has one member, itself, without a name. */
export function itemsOf(json: JsonLines, bytes: Uint8Array, items: readonly number[]): Member[][] {
  return items.map((line) =>
    json.kind(line) === KIND.object
      ? [...membersOf(json, bytes, line, CELL_KEPT).list]
      : json.kind(line) === KIND.emptyObject
        ? []
        : [memberAt(json, bytes, line, '', CELL_KEPT)],
  )
}
