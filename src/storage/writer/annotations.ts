import type { AnnotateParams } from '#contract/annotations.ts'
import { refused } from '#contract/errors.ts'
import { TAGS_PER_DELIVERY } from '#contract/tags.ts'
import type { Statements } from '../sql/connection.ts'
import { readMeta, writeMeta } from '../sql/numbers.ts'

export interface Said {
  readonly pinned: boolean
  readonly note: { readonly text: string; readonly at: number } | null
  readonly tags: readonly string[]
}

/** Changes notes and tags. Call it in a transaction. @returns ids of the changed deliveries @throws AcuseError `conflict`: too many tags */
export function annotate(statements: Statements, change: AnnotateParams, at: number): number[] {
  const changed = change.ids.filter((id) => {
    if (!statements.has`SELECT 1 FROM delivery WHERE id = ${id}`) return false
    const noted = setNote(statements, id, change.note, at)
    const tagged = setTags(statements, id, change)
    return noted || tagged
  })
  if (changed.length > 0) writeMeta(statements, 'annotated', readMeta(statements, 'annotated') + 1)
  return changed
}

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
    statements.run`INSERT OR IGNORE INTO note (delivery_id, text, at) VALUES (${id}, ${note.text}, ${note.at})`
  for (const tag of tags) statements.run`INSERT OR IGNORE INTO tag (delivery_id, tag) VALUES (${id}, ${tag})`
}

function setNote(statements: Statements, id: number, note: string | null | undefined, at: number): boolean {
  if (note === undefined) return false
  const text = note?.toWellFormed().trim() ?? ''
  const known = statements.one`SELECT text FROM note WHERE delivery_id = ${id}`
  if (text === (known?.text ?? '')) return false
  if (text === '') statements.run`DELETE FROM note WHERE delivery_id = ${id}`
  else
    statements.run`INSERT INTO note (delivery_id, text, at) VALUES (${id}, ${text}, ${at})
         ON CONFLICT (delivery_id) DO UPDATE SET text = excluded.text, at = excluded.at`
  return true
}

function setTags(statements: Statements, id: number, { addTags = [], removeTags = [] }: AnnotateParams) {
  let changes = 0
  for (const tag of removeTags)
    changes += Number(statements.run`DELETE FROM tag WHERE delivery_id = ${id} AND tag = ${tag}`.changes)
  for (const tag of addTags)
    changes += Number(
      statements.run`INSERT OR IGNORE INTO tag (delivery_id, tag) VALUES (${id}, ${tag})`.changes,
    )
  const count = statements.number`SELECT count(*) AS n FROM tag WHERE delivery_id = ${id}`
  if (addTags.length > 0 && count > TAGS_PER_DELIVERY)
    throw refused('conflict', 'too-many-tags', { id, count, most: TAGS_PER_DELIVERY })
  return changes > 0
}
