import { DEFAULT_TARGET } from '#contract/defaults.ts'
import type { Target } from '#contract/target.ts'
import type { Form } from '@/shared/forms/form.ts'
import {
  type HeaderDraft,
  type HeaderError,
  newHeader,
  sentHeaderErrors,
} from '@/shared/headers/header-draft.ts'
import { fullUrl, urlProblem } from '@/shared/targets/target-choice.ts'

/** A target as the user edits it: right or not. */
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

function targetDraftOf(target: Target | null, keptWords: string): TargetDraft {
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

const namesOf = (text: string): readonly string[] => text.split(/[\s,;]+/).filter((name) => name !== '')

/** What is told of an address that is one, by the code of the attempts that it would make. */
const URL_REFUSED: ReadonlyMap<unknown, TargetError> = new Map([
  ['own-receiver', 'ownReceiver'],
  ['destination-refused', 'forbidden'],
])

/** @param others names of the other targets @param keptWords stands for a secret that the window was not told */
export const targetForm = (
  target: Target | null,
  others: readonly string[],
  keptWords: string,
): Form<'targets.save', TargetDraft, TargetError> => ({
  command: 'targets.save',
  first: targetDraftOf(target, keptWords),
  params: ({ connectMs, answerMs, totalMs, ...draft }) => ({
    ...draft,
    ...(target ? { previousName: target.name } : {}),
    url: fullUrl(draft.url),
    method: draft.method === '' ? null : draft.method.toUpperCase(),
    headers: draft.headers.map(({ name, value, kept, secret }) => ({
      name,
      // Null keeps the present secret; what was a secret and is none any more was never told, so it has to be typed.
      value: secret && kept !== null && value === '' ? null : value,
      secret,
    })),
    remove: namesOf(draft.remove),
    timeouts: { connectMs, answerMs, totalMs },
  }),
  places: () => ({
    name: ['name', 'name'],
    url: ['url', 'notHttp'],
    method: ['method', 'method'],
    'headers.*.name': ['header-name-*', 'headerName'],
    'headers.*.value': ['header-value-*', 'secretValue'],
    'remove.*': ['remove', 'remove'],
    'timeouts.*': ['*', 'milliseconds'],
  }),
  *own(draft) {
    yield* sentHeaderErrors(draft.headers)
    if (others.includes(draft.name)) yield ['name', 'nameTaken']
    const url = urlProblem(draft.url)
    if (url) yield ['url', url]
    // What was a secret was never told: as a plain header it would go out empty.
    for (const [index, { secret, kept, value }] of draft.headers.entries())
      if (value === '' && secret === (kept === null)) yield [`header-value-${index}`, 'secretValue']
  },
  refused: ({ code, details }, place) => {
    if (place?.[0] === 'name' && code === 'conflict') return ['name', 'nameTaken']
    return place?.[0] === 'url' ? ['url', URL_REFUSED.get(details?.reason) ?? place[1]] : place
  },
})
