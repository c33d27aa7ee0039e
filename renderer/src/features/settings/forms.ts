import type { TypeOptions } from 'i18next'
import { DEFAULT_ANSWER, DEFAULT_SCHEDULE, DEFAULT_TARGET } from '#contract/defaults.ts'
import type { FaultEffect, FaultType } from '#contract/faults.ts'
import type { Schedule, Weekday } from '#contract/schedule.ts'
import type { Endpoint } from '#contract/settings.ts'
import type { Target } from '#contract/target.ts'
import { WEEKDAYS } from '#contract/values.ts'
import { parseFilter } from '#core/filter/parse.ts'
import type { Form, Typed } from '@/shared/forms/form.ts'
import { type HeaderDraft, headerErrors, newHeader, sentHeaderErrors } from '@/shared/headers/header-draft.ts'
import { fullUrl, urlProblem } from '@/shared/targets/target-choice.ts'

type Texts = TypeOptions['resources']['settings']
/** Sentences that a part of the settings has for what is wrong. */
export type ErrorOf<P extends keyof Texts> = Texts[P] extends { readonly errors: infer E }
  ? keyof E & string
  : never

/** Several names as typed: separated by commas or spaces. */
export const namesIn = (text: string): readonly string[] =>
  text.split(/[\s,;]+/).filter((name) => name !== '')

function endpointDraft(endpoint: Endpoint | null) {
  const { name = '', path = '/', enabled = true, answer = DEFAULT_ANSWER } = endpoint ?? {}
  const numbers: Typed<{ status: number; delayMs: number }> = answer
  const headers: readonly HeaderDraft[] = answer.headers.map(([name, value]) => newHeader({ name, value }))
  return { name, path, enabled, body: answer.body, status: numbers.status, delayMs: numbers.delayMs, headers }
}

/** @param others the other endpoints */
export const endpointForm = (
  endpoint: Endpoint | null,
  others: readonly Endpoint[],
): Form<'endpoints.save', ReturnType<typeof endpointDraft>, ErrorOf<'endpoints'>> => ({
  command: 'endpoints.save',
  first: endpointDraft(endpoint),
  params: ({ name, path, enabled, headers, ...answer }) => ({
    ...(endpoint ? { previousName: endpoint.name } : {}),
    ...{ name, path, enabled },
    answer: { ...answer, headers: headers.map((header) => [header.name, header.value] as const) },
  }),
  places: () => ({
    name: ['name', 'name'],
    path: ['path', 'path'],
    'answer.status': ['status', 'status'],
    'answer.delayMs': ['delayMs', 'delay'],
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

function targetDraft(target: Target | null, kept: string) {
  const from = target ?? { ...DEFAULT_TARGET, name: '', url: 'http://127.0.0.1:3000/' }
  const { timeouts, method, headers, remove, ...rest } = from
  const times: Typed<Target['timeouts']> = timeouts
  const drafts: readonly HeaderDraft[] = headers.map(({ name, value, secret }) =>
    newHeader({ name, value: value ?? '', secret, kept: secret && value === null ? kept : null }),
  )
  return {
    ...rest,
    ...times,
    /** Empty: as received. */
    method: method ?? '',
    headers: drafts,
    /** Names of headers that are not sent, as typed. */
    remove: remove.join(', '),
  }
}

/** Why an address is refused that is one, by the code of the attempts that it would make. */
const URL_REFUSED: ReadonlyMap<unknown, ErrorOf<'targets'>> = new Map([
  ['own-receiver', 'ownReceiver'],
  ['destination-refused', 'forbidden'],
])

/** @param others names of the other targets @param kept stands for a secret that the window was not told */
export const targetForm = (
  target: Target | null,
  others: readonly string[],
  kept: string,
): Form<'targets.save', ReturnType<typeof targetDraft>, ErrorOf<'targets'>> => ({
  command: 'targets.save',
  first: targetDraft(target, kept),
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
    remove: namesIn(draft.remove),
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

/** A fault rule while it is written: an empty endpoint is every endpoint, minutes count from now, null is no bound. */
interface FaultDraft extends Typed<{ status: number; delayMs: number; share: number; seed: number }> {
  readonly endpoint: string
  readonly type: FaultType
  readonly filter: string
  readonly next: number | null
  readonly minutes: number | null
}

const effectOf = ({ type, status, delayMs }: FaultDraft): Typed<FaultEffect> => {
  if (type === 'status') return { type, status }
  return type === 'delay' ? { type, ms: delayMs } : { type }
}

/** @param now milliseconds since the epoch */
export const faultForm = (
  now: () => number,
): Form<'faults.add', FaultDraft, ErrorOf<'faults'> | 'filter'> => ({
  command: 'faults.add',
  first: {
    ...{ endpoint: '', type: 'status', status: 503, delayMs: 5_000, share: 100 },
    ...{ seed: 1, filter: '', next: null, minutes: null },
  },
  params: (draft) => ({
    endpoint: draft.endpoint === '' ? null : draft.endpoint,
    effect: effectOf(draft),
    probability: draft.share === null ? null : draft.share / 100,
    seed: draft.seed,
    filter: draft.filter.trim(),
    next: draft.next,
    until: draft.minutes === null ? null : Math.round(now() + draft.minutes * 60_000),
  }),
  places: () => ({
    'effect.status': ['status', 'status'],
    'effect.ms': ['delayMs', 'delay'],
    probability: ['share', 'share'],
    seed: ['seed', 'seed'],
    next: ['next', 'next'],
    until: ['minutes', 'minutes'],
  }),
  *own(draft) {
    if (!parseFilter(draft.filter).ok) yield ['filter', 'filter']
    if (draft.minutes !== null && !(draft.minutes > 0)) yield ['minutes', 'minutes']
  },
})

function scheduleDraft(schedule: Schedule | null) {
  const { time, recoverTo, enabled, route, notify, overlapMinutes, lookBackDays } =
    schedule ?? DEFAULT_SCHEDULE
  const numbers: Typed<{ minutes: number; overlapMinutes: number; lookBackDays: number }> = {
    minutes: 'every' in time ? time.every : 60,
    overlapMinutes,
    lookBackDays,
  }
  return {
    ...{ enabled, route, notify, ...numbers },
    kind: 'every' in time ? ('every' as const) : ('at' as const),
    at: 'at' in time ? time.at : '06:30',
    /** None: every day. */
    weekdays: 'at' in time ? (time.weekdays ?? []) : ([] as readonly Weekday[]),
    /** Empty: nothing is recovered. */
    recoverTo: recoverTo ?? '',
  }
}

type ScheduleError = keyof TypeOptions['resources']['schedules']['dialog']['errors']

export const scheduleForm = (
  schedule: Schedule | null,
  connection: string,
): Form<'schedules.save', ReturnType<typeof scheduleDraft>, ScheduleError> => ({
  command: 'schedules.save',
  first: scheduleDraft(schedule),
  params: ({ kind, minutes, at, weekdays, recoverTo, ...draft }) => {
    const days = WEEKDAYS.filter((day) => weekdays.includes(day))
    const everyDay = days.length === 0 || days.length === WEEKDAYS.length
    // `6:30` is as good as `06:30`.
    const daily = { at: at.trim().padStart(5, '0'), ...(everyDay ? {} : { weekdays: days }) }
    return {
      ...draft,
      connection,
      time: kind === 'every' ? { every: minutes } : daily,
      recoverTo: recoverTo === '' ? null : recoverTo,
    }
  },
  places: ({ kind }) => ({
    time: kind === 'every' ? ['minutes', 'minutes'] : ['at', 'time'],
    'time.every': ['minutes', 'minutes'],
    'time.at': ['at', 'time'],
    overlapMinutes: ['overlapMinutes', 'overlap'],
    lookBackDays: ['lookBackDays', 'lookBack'],
  }),
})
