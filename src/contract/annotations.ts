import { z } from 'zod'
import { count, defineCommand, defineQuery, id, nothing, type Of } from './params.ts'
import { isTag, NOTE_LENGTH, TAG_LENGTH, TAGS_PER_DELIVERY, tagOf } from './tags.ts'

const tag = z
  .string()
  .max(200)
  .transform(tagOf)
  .refine(
    isTag,
    `is no tag; use 1 to ${TAG_LENGTH} characters without spaces, commas, quotes, parentheses and "*"`,
  )
const tags = z.array(tag).max(TAGS_PER_DELIVERY)

const noteText = z
  .string()
  .max(NOTE_LENGTH, `is too long; give at most ${NOTE_LENGTH} characters`)
  .refine((text) => !text.includes('\0'), 'has a NUL character; leave it out')
  .nullable()

interface OneField {
  /** Identifies the change however often it is sent. */
  readonly key: string
  readonly delivery: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly author: string
}

/** A change of one field of a delivery in a shared log. Of all changes of a field, the last one in the log holds. */
export type Annotation = OneField &
  (
    | { readonly field: 'pin'; readonly value: boolean }
    | { readonly field: 'note'; readonly value: string | null }
    | { readonly field: 'tag'; readonly tag: string; readonly value: boolean }
  )

/** The same change of note and tags for every delivery named. An absent member stays as it is. */
const annotateParams = z.strictObject({
  ids: z.array(id).max(10_000),
  /** Null or blank text deletes the note. */
  note: noteText.exactOptional(),
  addTags: tags.exactOptional(),
  removeTags: tags.exactOptional(),
})
export type AnnotateParams = Of<typeof annotateParams>

export const annotationCommands = {
  'deliveries.annotate': defineCommand(
    'Writes notes and tags of deliveries. `changed` counts those that have something else now; unknown ids are ignored.',
    annotateParams,
    z.strictObject({ changed: count }),
  ),
  'tags.list': defineQuery(
    'Every tag that some delivery has, the most frequent first.',
    nothing,
    z.strictObject({ tags: z.array(z.strictObject({ tag: z.string(), count })) }),
  ),
}
