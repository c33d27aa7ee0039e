import type { Level } from '#contract/delivery.ts'

const ENVELOPE = 'readings: The envelope'
const DATA = 'readings: data per kind'
const TYPES = 'specification: Known type facts'
const EVENTS = 'specification: Events'
const STATES = 'specification: States and transitions'
const LIMITS = 'readings: Three kinds of knowledge'

/** All findings. Codes are stable: never reuse one with another meaning. */
export const CODES = {
  'coding-failed': { level: 'unreadable', rule: ENVELOPE },
  'body-too-large': { level: 'unreadable', rule: LIMITS },
  'decoded-too-large': { level: 'unreadable', rule: ENVELOPE },
  'body-too-expensive': { level: 'unreadable', rule: LIMITS },
  'body-empty': { level: 'unreadable', rule: ENVELOPE },
  'body-not-utf8': { level: 'unreadable', rule: ENVELOPE },
  'body-other-encoding': { level: 'unreadable', rule: ENVELOPE },
  'body-not-object': { level: 'unreadable', rule: ENVELOPE },
  'json-cut-off': { level: 'unreadable', rule: ENVELOPE },
  'json-unexpected': { level: 'unreadable', rule: ENVELOPE },
  'json-trailing': { level: 'unreadable', rule: ENVELOPE },
  'json-control-character': { level: 'unreadable', rule: ENVELOPE },
  'json-escape': { level: 'unreadable', rule: ENVELOPE },
  'json-number': { level: 'unreadable', rule: ENVELOPE },
  'json-too-many-values': { level: 'unreadable', rule: LIMITS },

  'envelope-missing': { level: 'error', rule: ENVELOPE },
  'envelope-null': { level: 'error', rule: ENVELOPE },
  'event-not-string': { level: 'error', rule: EVENTS },
  'event-unknown': { level: 'error', rule: EVENTS },
  'event-plugin': { level: 'error', rule: 'specification: Delivery rules, 4' },
  'timestamp-not-date-time': { level: 'error', rule: ENVELOPE },
  'timestamp-without-offset': { level: 'error', rule: ENVELOPE },
  'data-not-object': { level: 'error', rule: ENVELOPE },
  'document-id-absent': { level: 'error', rule: DATA },
  'document-id-null': { level: 'error', rule: DATA },
  'document-id-not-uuid': { level: 'error', rule: TYPES },
  'status-not-integer': { level: 'error', rule: TYPES },
  'dgii-status-absent': { level: 'error', rule: DATA },
  'dgii-status': { level: 'error', rule: STATES },
  'lines-not-list': { level: 'error', rule: DATA },
  'line-not-object': { level: 'error', rule: DATA },
  'accounting-not-object': { level: 'error', rule: DATA },

  'method-not-documented': { level: 'warning', rule: ENVELOPE },
  'body-bom': { level: 'warning', rule: ENVELOPE },
  'duplicate-key': { level: 'warning', rule: ENVELOPE },
  'envelope-case': { level: 'warning', rule: ENVELOPE },
  'timestamp-utc': { level: 'warning', rule: ENVELOPE },
  'field-case': { level: 'warning', rule: DATA },

  'content-type': { level: 'note', rule: ENVELOPE },
  'envelope-extra': { level: 'note', rule: ENVELOPE },
  'field-absent': { level: 'note', rule: DATA },
  'field-not-documented': { level: 'note', rule: DATA },
  'field-null': { level: 'note', rule: DATA },
} as const satisfies Record<string, { readonly level: Level; readonly rule: string }>

export type Code = keyof typeof CODES
export const isCode = (code: string): code is Code => Object.hasOwn(CODES, code)
