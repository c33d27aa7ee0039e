import { z } from 'zod'
import { isTag, NOTE_LENGTH, TAG_LENGTH, TAGS_PER_DELIVERY, tagOf } from './annotations.ts'

/** A change of notes and tags, of every delivery named alike. What is absent stays as it is. */
export interface AnnotateParams {
  readonly ids: readonly number[]
  /** Null, or text that is blank, takes the note away. */
  readonly note?: string | null
  readonly addTags?: readonly string[]
  readonly removeTags?: readonly string[]
}

export interface TagCount {
  readonly tag: string
  readonly count: number
}

export interface AnnotationCommands {
  /** `changed`: deliveries that have something else now. Those that do not exist are passed over. */
  'deliveries.annotate': { params: AnnotateParams; result: { changed: number } }
  /** Every tag that some delivery has, the most frequent first. */
  'tags.list': { params: Record<string, never>; result: { tags: readonly TagCount[] } }
}
export type AnnotationCommandName = keyof AnnotationCommands

const tag = z
  .string()
  .max(200)
  .transform(tagOf)
  .refine(
    isTag,
    `is no tag; use 1 to ${TAG_LENGTH} characters without spaces, commas, quotes, parentheses and "*"`,
  )
const tags = z.array(tag).max(TAGS_PER_DELIVERY)

export const ANNOTATION_PARAMS: { readonly [C in AnnotationCommandName]: z.ZodType<unknown> } = {
  'deliveries.annotate': z.strictObject({
    ids: z.array(z.int().positive()).max(10_000),
    note: z
      .string()
      .max(NOTE_LENGTH, `is too long; give at most ${NOTE_LENGTH} characters`)
      .refine((text) => !text.includes('\0'), 'has a NUL character; leave it out')
      .nullable()
      .optional(),
    addTags: tags.optional(),
    removeTags: tags.optional(),
  }),
  'tags.list': z.strictObject({}),
}
