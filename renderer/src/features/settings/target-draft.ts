import type { Params } from '#contract/commands.ts'
import { DEFAULT_TARGET } from '#contract/defaults.ts'
import type { Refusal } from '#contract/errors.ts'
import type { Target } from '#contract/target.ts'
import {
  HEADER_NAME,
  type HeaderDraft,
  type HeaderError,
  newHeader,
  sentHeaderErrors,
} from '@/shared/headers/header-draft.ts'
import { METHOD } from '@/shared/targets/edit-draft.ts'
import { fullUrl, urlProblem } from '@/shared/targets/target-choice.ts'

/** A target while it is being edited: whatever was typed, right or not. */
export interface TargetDraft {
  readonly name: string
  readonly url: string
  /** Empty: as received. */
  readonly method: string
  readonly path: Target['path']
  readonly query: Target['query']
  readonly headers: readonly HeaderDraft[]
  /** Names of headers that are not sent, as typed: separated by commas or spaces. */
  readonly remove: string
  readonly connectMs: number | null
  readonly answerMs: number | null
  readonly totalMs: number | null
  readonly acceptAnyCertificate: boolean
  readonly keepSecret: boolean
  readonly keepCredentials: boolean
  readonly markReplays: boolean
}

export type TargetError =
  | HeaderError
  | 'name'
  | 'nameTaken'
  | 'missing'
  | 'notHttp'
  | 'credentials'
  | 'ownReceiver'
  | 'forbidden'
  | 'method'
  | 'remove'
  | 'milliseconds'
  | 'secretValue'
/** Where an error stands: a field, or `header-name-3`. */
export type TargetErrors = ReadonlyMap<string, TargetError>

/** @param keptWords stands for a secret that the window was not told */
export function targetDraftOf(target: Target | null, keptWords: string): TargetDraft {
  const from = target ?? { ...DEFAULT_TARGET, name: '', url: 'http://127.0.0.1:3000/' }
  return {
    name: from.name,
    url: from.url,
    method: from.method ?? '',
    path: from.path,
    query: from.query,
    headers: from.headers.map(({ name, value, secret }) =>
      newHeader({ name, value: value ?? '', secret, kept: secret && value === null ? keptWords : null }),
    ),
    remove: from.remove.join(', '),
    ...from.timeouts,
    acceptAnyCertificate: from.acceptAnyCertificate,
    keepSecret: from.keepSecret,
    keepCredentials: from.keepCredentials,
    markReplays: from.markReplays,
  }
}

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/
const namesOf = (text: string): readonly string[] => text.split(/[\s,;]+/).filter((name) => name !== '')
const isTime = (ms: number | null): ms is number => ms !== null && ms >= 1 && ms <= 3_600_000

/** What the host would refuse, told while typing. @param others names of the other targets */
export function targetErrors(draft: TargetDraft, others: readonly string[]): TargetErrors {
  const errors = new Map<string, TargetError>(sentHeaderErrors(draft.headers))
  if (!NAME.test(draft.name)) errors.set('name', 'name')
  else if (others.includes(draft.name)) errors.set('name', 'nameTaken')
  const url = urlProblem(draft.url)
  if (url) errors.set('url', url)
  if (draft.method !== '' && !METHOD.test(draft.method)) errors.set('method', 'method')
  if (namesOf(draft.remove).some((name) => !HEADER_NAME.test(name))) errors.set('remove', 'remove')
  for (const field of ['connectMs', 'answerMs', 'totalMs'] as const)
    if (!isTime(draft[field])) errors.set(field, 'milliseconds')
  // What was a secret was never told: as a plain header it would go out empty.
  for (const [index, { secret, kept, value }] of draft.headers.entries())
    if (value === '' && secret === (kept === null)) errors.set(`header-value-${index}`, 'secretValue')
  return errors
}

/** What is told of an address that is one, by the code of the attempts that it would make. */
const URL_REFUSED: ReadonlyMap<unknown, TargetError> = new Map([
  ['own-receiver', 'ownReceiver'],
  ['destination-refused', 'forbidden'],
])

/** The field that a refusal is about, if it says so (contract: Refusal.details.path). */
export function refusedTargetField(refusal: Refusal | null): TargetErrors {
  const path = String(refusal?.details?.path ?? '')
  const header = /^headers\.(\d+)\.value$/.exec(path)
  if (header) return new Map([[`header-value-${header[1]}`, 'secretValue']])
  if (path === 'name') return new Map([['name', refusal?.code === 'conflict' ? 'nameTaken' : 'name']])
  if (path === 'url') return new Map([['url', URL_REFUSED.get(refusal?.details?.reason) ?? 'notHttp']])
  return new Map()
}

/** @returns undefined while a number is missing */
export function targetParamsOf(
  draft: TargetDraft,
  previous: Target | null,
): Params<'targets.save'> | undefined {
  const { connectMs, answerMs, totalMs } = draft
  if (connectMs === null || answerMs === null || totalMs === null) return undefined
  return {
    ...(previous ? { previousName: previous.name } : {}),
    name: draft.name,
    url: fullUrl(draft.url),
    method: draft.method === '' ? null : draft.method.toUpperCase(),
    path: draft.path,
    query: draft.query,
    headers: draft.headers.map(({ name, value, kept, secret }) => ({
      name,
      // Null keeps the present secret; what was a secret and is none any more was never told, so it has to be typed.
      value: secret && kept !== null && value === '' ? null : value,
      secret,
    })),
    remove: namesOf(draft.remove),
    timeouts: { connectMs, answerMs, totalMs },
    acceptAnyCertificate: draft.acceptAnyCertificate,
    keepSecret: draft.keepSecret,
    keepCredentials: draft.keepCredentials,
    markReplays: draft.markReplays,
  }
}
