import { DEFAULT_ANSWER } from '#contract/defaults.ts'
import type { Endpoint } from '#contract/settings.ts'
import type { Form } from '@/shared/forms/form.ts'
import { type HeaderDraft, headerErrors, newHeader } from '@/shared/headers/header-draft.ts'

/** An endpoint as the user edits it: right or not. */
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

function draftOf(endpoint: Endpoint | null): EndpointDraft {
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

/** @param others the other endpoints */
export const endpointForm = (
  endpoint: Endpoint | null,
  others: readonly Endpoint[],
): Form<'endpoints.save', EndpointDraft, FieldError> => ({
  command: 'endpoints.save',
  first: draftOf(endpoint),
  params: ({ name, path, enabled, status, delayMs, headers, body }) => ({
    ...(endpoint ? { previousName: endpoint.name } : {}),
    name,
    path,
    enabled,
    answer: { status, headers: headers.map((header) => [header.name, header.value] as const), body, delayMs },
  }),
  places: () => ({
    name: ['name', 'name'],
    path: ['path', 'path'],
    'answer.status': ['status', 'status'],
    'answer.delayMs': ['delay', 'delay'],
    'answer.body': ['body', 'body'],
    'answer.headers.*.0': ['header-name-*', 'headerName'],
    'answer.headers.*.1': ['header-value-*', 'headerValue'],
  }),
  *own(draft) {
    yield* headerErrors(draft.headers)
    if (others.some(({ name }) => name === draft.name)) yield ['name', 'nameTaken']
    if (others.some(({ path }) => path === draft.path)) yield ['path', 'pathTaken']
  },
  refused: ({ code }, place) => {
    if (code !== 'conflict' || !place) return place
    if (place[0] === 'path') return ['path', endpoint?.path === '/' ? 'defaultPath' : 'pathTaken']
    return place[0] === 'name' ? ['name', 'nameTaken'] : place
  },
})
