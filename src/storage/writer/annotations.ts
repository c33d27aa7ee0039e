import { randomUUID } from 'node:crypto'
import type { AnnotateParams, Annotation } from '#contract/annotations.ts'
import { refused } from '#contract/errors.ts'
import { isTag, NOTE_LENGTH, TAGS_PER_DELIVERY, tagOf } from '#contract/tags.ts'
import type { UnsentAnnotation } from '#core/mirror.ts'
import { fits, type Shape } from '../body/stored-body.ts'
import type { Statements } from '../sql/connection.ts'
import { readMeta, writeMeta } from '../sql/numbers.ts'

const DAY_MS = 86_400_000

export interface Said {
  readonly pinned: boolean
  readonly note: { readonly text: string; readonly at: number; readonly author: string | null } | null
  readonly tags: readonly string[]
}

/** Who changes something, and when. */
export interface By {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** In a folder that follows a shared log, whose other followers get the change too; null in any other folder. */
  readonly author: string | null
}

/** A change of one field, without what a record adds. */
type Field = Annotation extends infer A ? (A extends Annotation ? Omit<A, keyof By | 'key'> : never) : never

/** Pins or unpins deliveries. Call it in a transaction. @returns how many changed */
export function pin(statements: Statements, ids: readonly number[], value: boolean, by: By): number {
  return ids.filter(
    (delivery) => isThere(statements, delivery) && say(statements, { delivery, field: 'pin', value }, by),
  ).length
}

/** Changes notes and tags. Call it in a transaction. @returns ids of the changed deliveries @throws AcuseError `conflict`: too many tags */
export function annotate(
  statements: Statements,
  { ids, note, addTags = [], removeTags = [] }: AnnotateParams,
  by: By,
): number[] {
  const changed = ids.filter((delivery) => {
    if (!isThere(statements, delivery)) return false
    const tagging =
      (value: boolean) =>
      (tag: string): Field => ({ delivery, field: 'tag', tag, value })
    const fields: Field[] = [...removeTags.map(tagging(false)), ...addTags.map(tagging(true))]
    if (note !== undefined) fields.push({ delivery, field: 'note', value: note })
    const said = fields.filter((field) => say(statements, field, by))
    const count = statements.number`SELECT count(*) AS n FROM tag WHERE delivery_id = ${delivery}`
    if (addTags.length > 0 && count > TAGS_PER_DELIVERY)
      throw refused('conflict', 'too-many-tags', { id: delivery, count, most: TAGS_PER_DELIVERY })
    return said.length > 0
  })
  if (changed.length > 0) countChange(statements)
  return changed
}

/**
 * Makes the change of a record of the shared log, unless an own later change of the field is still on its way there. Call it in a
 * transaction, in the order of the log. @returns the delivery that changed; null when none did
 */
export function follow(statements: Statements, record: Buffer): number | null {
  const change = read(record)
  if (!change) return null
  const { key, delivery, at, author } = change
  statements.run`DELETE FROM unsent WHERE key = ${key}`
  if (statements.has`SELECT 1 FROM unsent WHERE delivery_id = ${delivery} AND field = ${fieldOf(change)}`)
    return null
  // In the trash too: a restored delivery has what the others see.
  if (!isThere(statements, delivery) && !statements.has`SELECT 1 FROM trashed WHERE id = ${delivery}`)
    return null
  if (!set(statements, change, { at, author })) return null
  if (change.field !== 'pin') countChange(statements)
  return delivery
}

/** Own changes that the shared log may not have yet, the oldest first. */
export const unsent = (statements: Statements, after: number, limit: number): readonly UnsentAnnotation[] =>
  statements.all`SELECT id, key, day, record FROM unsent WHERE id > ${after} ORDER BY id LIMIT ${limit}`.map(
    ({ id, key, day, record }) => ({
      id: Number(id),
      key: String(key),
      day: Number(day),
      record: Buffer.from(String(record)),
    }),
  )

/** Deletes everything of a delivery except its row. @param upload as in that row */
export function dropRest(statements: Statements, id: number, upload: unknown): void {
  statements.run`DELETE FROM payload WHERE delivery_id = ${id}`
  statements.run`DELETE FROM pin WHERE delivery_id = ${id}`
  statements.run`DELETE FROM note WHERE delivery_id = ${id}`
  statements.run`DELETE FROM tag WHERE delivery_id = ${id}`
  statements.run`DELETE FROM imported WHERE delivery_id = ${id}`
  if (typeof upload === 'string') statements.run`DELETE FROM chunk WHERE upload = ${upload}`
}

/** Restores pin, note and tags of a salvaged delivery. */
export function adoptSaid(statements: Statements, id: number, { pinned, note, tags }: Said): void {
  if (pinned) statements.run`INSERT OR IGNORE INTO pin (delivery_id) VALUES (${id})`
  if (note)
    statements.run`INSERT OR IGNORE INTO note (delivery_id, text, at, author) VALUES (${id}, ${note.text}, ${note.at}, ${note.author})`
  for (const tag of tags) statements.run`INSERT OR IGNORE INTO tag (delivery_id, tag) VALUES (${id}, ${tag})`
}

/** A change that a shared log may not have yet, from a database set aside. */
export interface SavedUnsent {
  readonly id: number
  readonly key: string
  readonly deliveryId: number
  readonly field: string
  readonly day: number
  readonly record: string
}

/** Queues changes of a database set aside again, in their order. Call it in a transaction. @returns how many were not queued already */
export const adoptUnsent = (statements: Statements, saved: readonly SavedUnsent[]): number =>
  saved.filter(({ key, deliveryId, field, day, record }) => {
    if (!read(Buffer.from(record)) || statements.has`SELECT 1 FROM unsent WHERE key = ${key}`) return false
    statements.insert('INTO unsent', { key, deliveryId, field, day, record })
    return true
  }).length

/** Makes a change of this machine, and queues it for the shared log. @returns whether it changes anything */
function say(statements: Statements, change: Field, by: By): boolean {
  const same = change.field === 'note' && textOf(change.value) === noteOf(statements, change.delivery)?.text
  if (same || !set(statements, change, by)) return false
  const { at, author } = by
  if (author === null) return true
  const key = randomUUID()
  const record = JSON.stringify({ ...change, key, at, author })
  statements.insert('INTO unsent', {
    key,
    deliveryId: change.delivery,
    field: fieldOf(change),
    day: Math.floor(at / DAY_MS),
    record,
  })
  return true
}

function set(statements: Statements, change: Field, { at, author }: By): boolean {
  const { delivery, field, value } = change
  if (field === 'note') return setNote(statements, delivery, textOf(value), at, author)
  const done =
    field === 'pin'
      ? value
        ? statements.run`INSERT OR IGNORE INTO pin (delivery_id) VALUES (${delivery})`
        : statements.run`DELETE FROM pin WHERE delivery_id = ${delivery}`
      : value
        ? statements.run`INSERT OR IGNORE INTO tag (delivery_id, tag) VALUES (${delivery}, ${change.tag})`
        : statements.run`DELETE FROM tag WHERE delivery_id = ${delivery} AND tag = ${change.tag}`
  return Number(done.changes) > 0
}

function setNote(
  statements: Statements,
  id: number,
  text: string,
  at: number,
  author: string | null,
): boolean {
  const known = noteOf(statements, id)
  if (text === '')
    return known !== undefined && statements.run`DELETE FROM note WHERE delivery_id = ${id}`.changes !== 0
  if (known?.text === text && known.at === at && known.author === author) return false
  statements.run`INSERT INTO note (delivery_id, text, at, author) VALUES (${id}, ${text}, ${at}, ${author})
     ON CONFLICT (delivery_id) DO UPDATE SET text = excluded.text, at = excluded.at, author = excluded.author`
  return true
}

const noteOf = (statements: Statements, id: number) =>
  statements.one`SELECT text, at, author FROM note WHERE delivery_id = ${id}`

const textOf = (note: string | null): string => note?.toWellFormed().trim() ?? ''

const fieldOf = (change: Field): string => (change.field === 'tag' ? `tag:${change.tag}` : change.field)

const isThere = (statements: Statements, id: number): boolean =>
  statements.has`SELECT 1 FROM delivery WHERE id = ${id}`

const countChange = (statements: Statements): void =>
  writeMeta(statements, 'annotated', readMeta(statements, 'annotated') + 1)

const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value.length <= most
const isSwitch = (value: unknown): boolean => typeof value === 'boolean'
const KEY = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const ONE_FIELD = {
  key: (value: unknown) => isText(value, 36) && KEY.test(value),
  delivery: (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0,
  at: Number.isFinite,
  author: (value: unknown) => isText(value, 200),
}
const FIELDS: { readonly [F in Annotation['field']]: Shape<Extract<Annotation, { field: F }>> } = {
  pin: { ...ONE_FIELD, field: (value) => value === 'pin', value: isSwitch },
  note: {
    ...ONE_FIELD,
    field: (value) => value === 'note',
    value: (value) => value === null || (isText(value, NOTE_LENGTH) && !value.includes('\0')),
  },
  tag: {
    ...ONE_FIELD,
    field: (value) => value === 'tag',
    tag: (value) => isText(value, 200) && isTag(tagOf(value)),
    value: isSwitch,
  },
}

/** @returns undefined for a record that another version wrote */
function read(record: Buffer): Annotation | undefined {
  try {
    const change: unknown = JSON.parse(record.toString('utf8'))
    if (fits(FIELDS.tag, change)) return { ...change, tag: tagOf(change.tag) }
    return fits(FIELDS.pin, change) || fits(FIELDS.note, change) ? change : undefined
  } catch {
    return undefined
  }
}
