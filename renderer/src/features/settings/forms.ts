import { DEFAULT_ANSWER, DEFAULT_SCHEDULE, DEFAULT_TARGET } from '#contract/defaults.ts'
import type { FaultEffect, FaultType } from '#contract/faults.ts'
import { fullUrl } from '#contract/params.ts'
import type { Schedule, Weekday } from '#contract/schedule.ts'
import type { Endpoint, ReceiverTls, Settings } from '#contract/settings.ts'
import type { Target } from '#contract/target.ts'
import { WEEKDAYS } from '#contract/values.ts'
import { parseFilter } from '#core/filter/parse.ts'
import type { Form, Typed } from '@/shared/forms/form.ts'
import {
  type HeaderDraft,
  headerErrors,
  newHeader,
  sentHeaderErrors,
} from '@/shared/headers/header-table.tsx'
import { urlProblem } from '@/shared/targets/target-choice.ts'

export const namesIn = (text: string): readonly string[] =>
  text.split(/[\s,;]+/).filter((name) => name !== '')
const scaled = (value: number | null, unit: number): number | null =>
  value === null ? null : Math.round(value * unit)

function endpointDraft(endpoint: Endpoint | null) {
  const { name = '', path = '/', enabled = true, answer = DEFAULT_ANSWER } = endpoint ?? {}
  const { headers: given, ...rest } = answer
  const typed: Typed<typeof rest> = rest
  const headers: readonly HeaderDraft[] = given.map(([name, value]) => newHeader({ name, value }))
  return { name, path, enabled, answer: { ...typed, headers } }
}

export const endpointForm = (
  endpoint: Endpoint | null,
  others: readonly Endpoint[],
): Form<'endpoints.save', ReturnType<typeof endpointDraft>> => ({
  command: 'endpoints.save',
  first: endpointDraft(endpoint),
  params: ({ answer, ...draft }) => ({
    ...draft,
    ...(endpoint ? { previousName: endpoint.name } : {}),
    answer: { ...answer, headers: answer.headers.map(({ name, value }) => [name, value] as const) },
  }),
  *own(draft) {
    yield* headerErrors(draft.answer.headers)
    if (others.some(({ name }) => name === draft.name)) yield ['name', 'nameTaken']
    if (others.some(({ path }) => path === draft.path)) yield ['path', 'pathTaken']
  },
  refused: ({ code }, field) =>
    code === 'conflict' && field === 'path' && endpoint?.path === '/' ? ['path', 'defaultPath'] : undefined,
})

function targetDraft(target: Target | null, kept: string) {
  const { timeouts, ...from } = target ?? { ...DEFAULT_TARGET, name: '', url: 'http://127.0.0.1:3000/' }
  const typed: Typed<Target['timeouts']> = timeouts
  const headers: readonly HeaderDraft[] = from.headers.map(({ name, value, secret }) =>
    newHeader({ name, value: value ?? '', secret, kept: secret && value === null ? kept : null }),
  )
  // An empty method means the received one.
  return { ...from, timeouts: typed, method: from.method ?? '', headers, remove: from.remove.join(', ') }
}

/** Text keys for valid URLs that cannot be a target, by the error code that attempts would have. */
export const URL_REFUSED: ReadonlyMap<unknown, string> = new Map([
  ['own-receiver', 'ownReceiver'],
  ['destination-refused', 'forbidden'],
])

/** @param others names of the other targets @param kept placeholder of a secret that the window does not know */
export const targetForm = (
  target: Target | null,
  others: readonly string[],
  kept: string,
): Form<'targets.save', ReturnType<typeof targetDraft>> => ({
  command: 'targets.save',
  first: targetDraft(target, kept),
  params: (draft) => ({
    ...draft,
    ...(target ? { previousName: target.name } : {}),
    url: fullUrl(draft.url),
    method: draft.method === '' ? null : draft.method.toUpperCase(),
    headers: draft.headers.map(({ name, value, kept, secret }) => ({
      name,
      // Null keeps the present secret. A value that is no longer secret must be typed, because the window does not know it.
      value: secret && kept !== null && value === '' ? null : value,
      secret,
    })),
    remove: namesIn(draft.remove),
  }),
  *own(draft) {
    yield* sentHeaderErrors(draft.headers)
    if (others.includes(draft.name)) yield ['name', 'nameTaken']
    const url = urlProblem(draft.url)
    if (url) yield ['url', url]
    // The window does not know a former secret: as a plain header it would be sent empty.
    for (const [index, { secret, kept, value }] of draft.headers.entries())
      if (value === '' && secret === (kept === null)) yield [`header-value-${index}`, 'secretValue']
  },
  refused: ({ details }, field) => {
    if (field === 'url') return ['url', URL_REFUSED.get(details?.reason) ?? 'notHttp']
    return field?.startsWith('header-value') ? [field, 'secretValue'] : undefined
  },
})

/** A fault rule as typed. Empty endpoint: all endpoints; minutes count from now; null: no limit. */
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
export const faultForm = (now: () => number): Form<'faults.add', FaultDraft> => ({
  command: 'faults.add',
  first: {
    endpoint: '',
    type: 'status',
    status: 503,
    delayMs: 5_000,
    share: 100,
    seed: 1,
    filter: '',
    next: null,
    minutes: null,
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
    'effect.ms': ['delayMs', 'delayMs'],
    probability: ['share', 'share'],
    until: ['minutes', 'minutes'],
  }),
  *own(draft) {
    if (!parseFilter(draft.filter).ok) yield ['filter', 'filter']
    if (draft.minutes !== null && !(draft.minutes > 0)) yield ['minutes', 'minutes']
  },
})

function scheduleDraft(schedule: Schedule | null) {
  const { time, recoverTo, overlapMinutes, lookBackDays, enabled, route, notify } =
    schedule ?? DEFAULT_SCHEDULE
  const numbers: Typed<{ minutes: number; overlapMinutes: number; lookBackDays: number }> = {
    minutes: 'every' in time ? time.every : 60,
    overlapMinutes,
    lookBackDays,
  }
  return {
    enabled,
    route,
    notify,
    ...numbers,
    kind: 'every' in time ? ('every' as const) : ('at' as const),
    at: 'at' in time ? time.at : '06:30',
    weekdays: 'at' in time ? (time.weekdays ?? []) : ([] as readonly Weekday[]),
    recoverTo: recoverTo ?? '',
  }
}

export const scheduleForm = (
  schedule: Schedule | null,
  connection: string,
): Form<'schedules.save', ReturnType<typeof scheduleDraft>> => ({
  command: 'schedules.save',
  first: scheduleDraft(schedule),
  params: ({ kind, minutes, at, weekdays, recoverTo, ...draft }) => {
    const days = WEEKDAYS.filter((day) => weekdays.includes(day))
    const everyDay = days.length === 0 || days.length === WEEKDAYS.length
    // The user may type `6:30` for `06:30`.
    const daily = { at: at.trim().padStart(5, '0'), ...(everyDay ? {} : { weekdays: days }) }
    return {
      ...draft,
      connection,
      time: kind === 'every' ? { every: minutes } : daily,
      recoverTo: recoverTo === '' ? null : recoverTo,
    }
  },
  places: ({ kind }) => ({ time: kind === 'every' ? ['minutes', 'minutes'] : ['at', 'at'] }),
})

const MIB = 1024 * 1024
const GB = 1_000_000_000

/** Address and limits of the receiver, the body's in MiB. Saves only changed fields: the command line may override the others for this run. */
export const receiverForm = ({ tls: _, publicUrl: __, ...present }: Settings['receiver']) => {
  const first: Typed<typeof present> = { ...present, bodyLimit: present.bodyLimit / MIB }
  return {
    command: 'settings.update',
    first: { receiver: first },
    params: ({ receiver }) => {
      const given = { ...receiver, host: receiver.host.trim(), bodyLimit: scaled(receiver.bodyLimit, MIB) }
      const before: Readonly<Record<string, unknown>> = present
      return {
        receiver: Object.fromEntries(Object.entries(given).filter(([name, value]) => value !== before[name])),
      }
    },
    *own({ receiver }) {
      if (/[\s/]/.test(receiver.host.trim())) yield ['receiver.host', 'host']
    },
  } satisfies Form<'settings.update', { readonly receiver: Typed<typeof present> }>
}

interface TlsDraft {
  readonly mode: 'off' | 'generated' | 'files'
  readonly certificate: string
  readonly key: string
}

const tlsOf = ({ mode, certificate, key }: TlsDraft): ReceiverTls | null => {
  if (mode === 'off') return null
  return mode === 'generated' ? { certificate: mode } : { certificate: certificate.trim(), key: key.trim() }
}

export const tlsForm = (tls: ReceiverTls | null): Form<'settings.update', TlsDraft> => ({
  command: 'settings.update',
  first:
    tls && 'key' in tls
      ? { mode: 'files', ...tls }
      : { mode: tls ? 'generated' : 'off', certificate: '', key: '' },
  params: (draft) => ({ receiver: { tls: tlsOf(draft) } }),
  places: () => ({
    'receiver.tls.key': ['key', 'key'],
    'receiver.tls': ['certificate', 'certificate'],
  }),
})

export const budgetForm = ({ budgetBytes, overBudget }: Settings['retention']) => {
  const retention: Typed<Pick<Settings['retention'], 'budgetBytes' | 'overBudget'>> = {
    budgetBytes: budgetBytes / GB,
    overBudget,
  }
  return {
    command: 'settings.update',
    first: { retention },
    params: ({ retention }) => ({
      retention: { ...retention, budgetBytes: scaled(retention.budgetBytes, GB) },
    }),
  } satisfies Form<'settings.update', { readonly retention: typeof retention }>
}

export const updateForm = ({
  updateFeed,
}: Settings['desktop']): Form<'settings.update', { readonly desktop: { readonly updateFeed: string } }> => ({
  command: 'settings.update',
  first: { desktop: { updateFeed: updateFeed ?? '' } },
  params: ({ desktop }) => ({ desktop: { updateFeed: desktop.updateFeed.trim() || null } }),
})

export const maskingForm = ({
  names,
}: Settings['masking']): Form<'settings.update', { readonly masking: { readonly names: string } }> => ({
  command: 'settings.update',
  first: { masking: { names: names.join('\n') } },
  params: ({ masking }) => ({ masking: { names: namesIn(masking.names) } }),
})

export const tracesForm = ({
  endpoint,
  serviceName,
}: Settings['telemetry']): Form<
  'settings.update',
  { readonly telemetry: { readonly endpoint: string; readonly serviceName: string } }
> => ({
  command: 'settings.update',
  first: { telemetry: { endpoint: endpoint ?? '', serviceName } },
  params: ({ telemetry }) => ({
    telemetry: { endpoint: telemetry.endpoint.trim() || null, serviceName: telemetry.serviceName.trim() },
  }),
})

export const secretForm = ({
  name,
  secret,
}: Endpoint): Form<
  'endpoints.set-secret',
  { readonly header: string; readonly value: string; readonly keepPrevious: boolean }
> => ({
  command: 'endpoints.set-secret',
  first: { header: secret?.header ?? 'X-Webhook-Secret', value: '', keepPrevious: secret !== null },
  params: (draft) => ({ name, ...draft }),
  *own({ value }) {
    if (value === '') yield ['value', 'missing']
  },
})
