import fc from 'fast-check'
import { KINDS, type Kind } from '#catalog/kinds.ts'
import { PLUGIN_EVENT_TYPES } from '#catalog/service.ts'
import { validateBytes } from '#core/checks/validate.ts'
import { aLine, anEvent, aUuid, bytesOf } from '../../../support/events.ts'
import { words } from '../../../support/words.ts'

export const kinds = fc.constantFrom(...KINDS.map((spec) => spec.kind))

/** @returns what a parser reads from the body's JSON, which has no undefined members */
export const asSent = (body: unknown): unknown => JSON.parse(JSON.stringify(body) ?? 'null')

/** Whether Acuse's checks report no error. */
export const passes = (body: unknown): boolean => {
  const { verdict } = validateBytes(bytesOf(JSON.stringify(body)))
  return verdict !== 'invalid' && verdict !== 'unreadable'
}

const TIMES = [
  ...words`2026-11-21T09:20:41Z 2026-11-21T09:20-04 20261121T092041,5-0400 2026-W53-7T24:00+00:00 2024-366T10:00:00.000-04:00`,
  ...words`2023-02-29T10:00-04:00 2024-02-29T10:00-04:00 2025-W53-1T10:00Z 2026-11-21T09:20:41 2026-11-21 2026-11-31T09:20Z`,
  ...words`2026-11-21T24:01Z 2026-11-21t09:20Z 20261121T09:20Z 2026-11-21T09:20+24:00 2026-00-01T09:20Z 0000-02-29T00:00-00:00`,
  ' 2026-11-21T09:20:41Z',
  '2026-11-21T09:20:41Z\n',
  `2026-11-21T09:20:41.${'1'.repeat(90)}Z`,
]
const IDS = [aUuid(), aUuid(255).toUpperCase(), `{${aUuid()}}`, aUuid().replaceAll('-', ''), `${aUuid()}\n`]
const value = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    0,
    -1,
    5,
    5.5,
    1e21,
    '5',
    [],
    {},
    [null],
    [{}],
    [[]],
    [{}, 'x'],
    [aLine()],
  ),
  fc.constantFrom(5, 6, 7, 8),
  fc.constantFrom(...TIMES),
  fc.constantFrom(...IDS),
  fc.constantFrom(...KINDS.map((spec) => spec.kind), ...PLUGIN_EVENT_TYPES, 'Factura.created', 'x'),
  fc.jsonValue({ maxDepth: 2 }),
)
const RULED = words`Event Timestamp data DocumentId StatusId Lines Accounting`
const name = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...RULED) },
  { weight: 1, arbitrary: fc.constantFrom(...words`Number CustomerId Taxes New __proto__ event_`, '') },
)
const cases = fc.constantFrom<(text: string) => string>(
  (text) => text.toLowerCase(),
  (text) => text.toUpperCase(),
  (text) => text.charAt(0).toLowerCase() + text.slice(1),
)

type Members = Record<string, unknown>
type Change = (body: Members) => void

const isObject = (given: unknown): given is Members =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

/** @returns the object that holds a member of this name: the envelope, or data under any case */
function holder(body: Members, member: string): Members {
  if (['Event', 'Timestamp', 'data'].includes(member)) return body
  const key = 'data' in body ? 'data' : Object.keys(body).find((one) => /^data$/i.test(one))
  const data = key === undefined ? undefined : body[key]
  return isObject(data) ? data : body
}

/** Sets a copy, as a later change would alter the constants of `value`. */
const set = (on: Members, member: string, given: unknown): void => {
  const value = structuredClone(given)
  Object.defineProperty(on, member, { value, enumerable: true, configurable: true, writable: true })
}

const removal = name.map<Change>((member) => (body) => {
  delete holder(body, member)[member]
})
const replacement = fc.tuple(name, value).map<Change>(([member, given]) => (body) => {
  set(holder(body, member), member, given)
})
const lineChange = value.map<Change>((given) => (body) => {
  const { Lines } = holder(body, 'Lines')
  if (Array.isArray(Lines)) Lines.push(structuredClone(given))
})
/** Other cases of one name stay apart from each other: which of several counts depends on their order, which JSON objects do not have. */
const isSpelt = (on: Members, member: string): boolean =>
  Object.keys(on).some((key) => key !== member && key.toLowerCase() === member.toLowerCase())
const renaming = fc
  .tuple(fc.constantFrom(...RULED), cases, fc.boolean(), value)
  .map<Change>(([member, spell, stays, given]) => (body) => {
    const on = holder(body, member)
    const other = spell(member)
    if (other === member || isSpelt(on, member)) return
    set(on, other, stays ? given : on[member])
    if (!stays) delete on[member]
  })

const changedBy = (change: fc.Arbitrary<Change>): fc.Arbitrary<unknown> =>
  fc
    .tuple(kinds, fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([kind, changes]) => mutated(kind, changes))

function mutated(kind: Kind, changes: readonly Change[]): unknown {
  const body: Members = structuredClone({ ...anEvent(kind) })
  for (const change of changes) change(body)
  return body
}

/** Bodies of all kinds with up to three changes, some of which Acuse reports as errors; and bodies that are no object. */
export const anyBody = fc.oneof(
  { weight: 40, arbitrary: changedBy(fc.oneof(removal, replacement, replacement, lineChange, renaming)) },
  { weight: 1, arbitrary: value },
)
/** As `anyBody`, without names in another case. */
export const spelledBody = fc.oneof(
  { weight: 40, arbitrary: changedBy(fc.oneof(removal, replacement, replacement, lineChange)) },
  { weight: 1, arbitrary: value },
)
