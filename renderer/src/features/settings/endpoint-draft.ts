import { DEFAULT_ANSWER } from '#contract/defaults.ts'
import type { Refusal } from '#contract/errors.ts'
import type { Endpoint, EndpointParams } from '#contract/settings.ts'
import { type HeaderDraft, headerErrors, newHeader } from '@/shared/headers/header-draft.ts'

/** An endpoint while it is being edited: whatever was typed, right or not. */
export interface EndpointDraft {
  readonly name: string
  readonly path: string
  readonly enabled: boolean
  readonly status: number | null
  readonly delayMs: number | null
  readonly headers: readonly HeaderDraft[]
  readonly body: string
}

/** Keys of settings:endpoints.errors. */
export type FieldError =
  | 'name'
  | 'nameTaken'
  | 'path'
  | 'pathTaken'
  | 'defaultPath'
  | 'status'
  | 'delay'
  | 'headerName'
  | 'headerValue'
  | 'headerLong'
  | 'body'
/** Where an error stands: a field, or `header-name-3`. */
export type DraftErrors = ReadonlyMap<string, FieldError>

export function draftOf(endpoint: Endpoint | null): EndpointDraft {
  const answer = endpoint?.answer ?? DEFAULT_ANSWER
  return {
    name: endpoint?.name ?? '',
    path: endpoint?.path ?? '/',
    enabled: endpoint?.enabled ?? true,
    status: answer.status,
    delayMs: answer.delayMs,
    headers: answer.headers.map(([name, value]) => newHeader({ name, value })),
    body: answer.body,
  }
}

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/
const PATH = /^\/[\x21-\x22\x24-\x3e\x40-\x7e]*$/

/** What the host would refuse, told while typing. The host checks again, and is right. */
export function errorsOf(draft: EndpointDraft, others: readonly Endpoint[]): DraftErrors {
  const errors = new Map<string, FieldError>(headerErrors(draft.headers))
  if (!NAME.test(draft.name)) errors.set('name', 'name')
  else if (others.some((e) => e.name === draft.name)) errors.set('name', 'nameTaken')
  if (!PATH.test(draft.path) || draft.path.length > 2_000) errors.set('path', 'path')
  else if (others.some((e) => e.path === draft.path)) errors.set('path', 'pathTaken')
  if (draft.status === null || draft.status < 200 || draft.status > 599) errors.set('status', 'status')
  if (draft.delayMs === null || draft.delayMs > 600_000) errors.set('delay', 'delay')
  if (draft.body.length > 1_048_576) errors.set('body', 'body')
  return errors
}

/** The field that a refusal is about, if it says so (contract: Refusal.details.path). */
export function refusedField(refusal: Refusal | null, wasDefault: boolean): DraftErrors {
  const path = String(refusal?.details?.path ?? '')
  const taken = refusal?.code === 'conflict'
  const header = /^answer\.headers\.(\d+)\.([01])$/.exec(path)
  if (header) {
    const value = header[2] === '1'
    return new Map([
      [`header-${value ? 'value' : 'name'}-${header[1]}`, value ? 'headerValue' : 'headerName'],
    ])
  }
  switch (path) {
    case 'name':
      return new Map([['name', taken ? 'nameTaken' : 'name']])
    case 'path':
      return new Map([['path', !taken ? 'path' : wasDefault ? 'defaultPath' : 'pathTaken']])
    case 'answer.status':
      return new Map([['status', 'status']])
    case 'answer.delayMs':
      return new Map([['delay', 'delay']])
    case 'answer.body':
      return new Map([['body', 'body']])
    default:
      return new Map()
  }
}

/** @returns undefined while a number is missing */
export function paramsOf(draft: EndpointDraft, previous: Endpoint | null): EndpointParams | undefined {
  const { name, path, enabled, status, delayMs, headers, body } = draft
  if (status === null || delayMs === null) return undefined
  return {
    ...(previous ? { previousName: previous.name } : {}),
    name,
    path,
    enabled,
    answer: { status, headers: headers.map((h) => [h.name, h.value] as const), body, delayMs },
  }
}
