import type { DocumentClass } from '#contract/reconcile.ts'

/** A sign beside the colour, so that neither colour-blindness nor forced colours take the meaning away. */
export const CLASS_SIGNS: Readonly<Record<DocumentClass, string>> = {
  matched: '=',
  missing: '◀',
  differs: '≠',
  'webhook-only': '▶',
  'not-yet-due': '◷',
  'date-unknown': '?',
  'not-subscribed': '∅',
  'cannot-tell': '≟',
}

/** In the order of the summary. */
export const SHOWN_CLASSES = [
  'matched',
  'missing',
  'differs',
  'cannot-tell',
  'webhook-only',
  'not-yet-due',
  'date-unknown',
  'not-subscribed',
] as const satisfies readonly DocumentClass[]

/** Classes whose documents may have a missed event. */
export const MISSED_CLASSES = [
  'missing',
  'differs',
  'not-yet-due',
] as const satisfies readonly DocumentClass[]
