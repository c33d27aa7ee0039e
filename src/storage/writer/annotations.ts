import type { AnnotateParams } from '#contract/annotations.ts'
import { AcuseError } from '#contract/errors.ts'
import { TAGS_PER_DELIVERY } from '#contract/tags.ts'
import type { Statements } from '../sql/connection.ts'
import { readMeta, writeMeta } from '../sql/numbers.ts'

/** What people said of a delivery. */
export interface Said {
  readonly pinned: boolean
  readonly note: { readonly text: string; readonly at: number } | null
  readonly tags: readonly string[]
}

/**
 * Changes notes and tags of deliveries. Call it in a transaction.
 * @param at milliseconds since the epoch
 * @returns those that have something else now
 * @throws AcuseError `conflict` for a delivery that would have too many tags: then nothing may be kept of the call
 */
export function annotate(statements: Statements, change: AnnotateParams, at: number): number[] {
  const changed = change.ids.filter((id) => {
    if (!statements.get('SELECT 1 FROM delivery WHERE id = ?').get(id)) return false
    const noted = setNote(statements, id, change.note, at)
    const tagged = setTags(statements, id, change)
    return noted || tagged
  })
  if (changed.length > 0) writeMeta(statements, 'annotated', readMeta(statements, 'annotated') + 1)
  return changed
}

/** What people wrote goes with its delivery. */
export function forgetAnnotations(statements: Statements, id: number): void {
  statements.get('DELETE FROM note WHERE delivery_id = ?').run(id)
  statements.get('DELETE FROM tag WHERE delivery_id = ?').run(id)
}

/** Puts back what was said of a delivery in a database that was set aside. */
export function adoptSaid(statements: Statements, id: number, { pinned, note, tags }: Said): void {
  if (pinned) statements.get('INSERT OR IGNORE INTO pin (delivery_id) VALUES (?)').run(id)
  if (note)
    statements
      .get('INSERT OR IGNORE INTO note (delivery_id, text, at) VALUES (?, ?, ?)')
      .run(id, note.text, note.at)
  for (const tag of tags)
    statements.get('INSERT OR IGNORE INTO tag (delivery_id, tag) VALUES (?, ?)').run(id, tag)
}

function setNote(statements: Statements, id: number, note: string | null | undefined, at: number): boolean {
  if (note === undefined) return false
  const text = note?.toWellFormed().trim() ?? ''
  const known = statements.get('SELECT text FROM note WHERE delivery_id = ?').get(id)
  if (text === (known?.text ?? '')) return false
  if (text === '') statements.get('DELETE FROM note WHERE delivery_id = ?').run(id)
  else
    statements
      .get(
        `INSERT INTO note (delivery_id, text, at) VALUES (?, ?, ?)
         ON CONFLICT (delivery_id) DO UPDATE SET text = excluded.text, at = excluded.at`,
      )
      .run(id, text, at)
  return true
}

function setTags(
  statements: Statements,
  id: number,
  { addTags = [], removeTags = [] }: AnnotateParams,
): boolean {
  let changes = 0
  for (const tag of removeTags)
    changes += Number(
      statements.get('DELETE FROM tag WHERE delivery_id = ? AND tag = ?').run(id, tag).changes,
    )
  for (const tag of addTags)
    changes += Number(
      statements.get('INSERT OR IGNORE INTO tag (delivery_id, tag) VALUES (?, ?)').run(id, tag).changes,
    )
  const count = Number(statements.get('SELECT count(*) AS n FROM tag WHERE delivery_id = ?').get(id)?.n)
  if (addTags.length > 0 && count > TAGS_PER_DELIVERY)
    throw new AcuseError(
      'conflict',
      `Delivery ${id} would have ${count} tags; ${TAGS_PER_DELIVERY} is the most. Remove some of it first. Nothing was changed.`,
      { id },
    )
  return changes > 0
}
