import { setTimeout as sleep } from 'node:timers/promises'
import type { Request, Response } from 'express'
import { readDate, readDateTime } from '#catalog/date-time.ts'
import { PAGE_SIZE, PLUGIN_EVENT_TYPES, type PluginEventType } from '#catalog/service.ts'
import type { SandboxLaboratory } from '#contract/sandbox.ts'
import { chance } from '../data/random.ts'
import type { Forwarder } from '../dispatch/forwarder.ts'
import { localTime, readExactly } from '../domain/json.ts'
import { bad, Refusal } from '../domain/refusal.ts'
import { isObject, parseJson, readBody } from '../http/body.ts'
import { leavesItems, reorder, reshape } from '../laboratory/laboratory.ts'
import { type ApiKeys, bearer, type Plugin, type Plugins } from '../records/credentials.ts'
import { memberBytes, type SyncItem } from '../state/sync.ts'
import type { World } from '../world/world.ts'

export function syncFaults(laboratory: () => SandboxLaboratory) {
  let calls = 0
  /** Sends the page, or the laboratory's fault. @throws Refusal 500 or 429 */
  return async (response: Response, page: () => string): Promise<void> => {
    const { seed, sync } = laboratory()
    calls += 1
    const fault = chance(seed, 'sync', calls) < sync.share ? sync.fault : 'none'
    if (fault === 'error-500') throw new Refusal(500, 'laboratory', 'The laboratory answers 500.')
    if (fault === 'error-429')
      throw new Refusal(429, 'laboratory', 'The laboratory answers 429.', {
        headers: { 'Retry-After': String(sync.retryAfterSeconds) },
      })
    if (fault === 'slow') await sleep(sync.slowMs, undefined, { ref: false })
    const text = page()
    response.type('json').send(fault === 'truncated' ? text.slice(0, text.length >> 1) : text)
  }
}

export interface SyncContext {
  readonly world: World
  readonly keys: ApiKeys
  readonly laboratory: () => SandboxLaboratory
  readonly send: ReturnType<typeof syncFaults>
}

type Route<C> = (context: C, request: Request, response: Response) => Promise<void>

/** Sandbox choice: a missing or unknown key gets 401. */
function checkKey(request: Request, keys: ApiKeys): void {
  const key = request.get('X-Api-Key')
  if (key === undefined) throw new Refusal(401, 'missing-key', 'Send the API key in the header X-Api-Key.')
  if (!keys.accepts(key)) throw new Refusal(401, 'unknown-key', 'The API key is not known.')
}

/** GET accounting-sync: issued sales, notes and expenses in a range of issue dates. */
export const accountingSync: Route<SyncContext> = async (context, request, response) => {
  checkKey(request, context.keys)
  const parameters = new Parameters(request.originalUrl)
  const from = parameters.requiredMoment('from')
  const to = parameters.requiredMoment('to')
  const documentTypeId = parameters.integer('documentTypeId')
  const pageSize = parameters.pageSize()
  checkOrder(from, to)
  await context.send(response, () => {
    const falling = context.laboratory().sync.order === 'descending'
    const range = { from: from.from, to: to.to, documentTypeId, limit: pageSize }
    const found = context.world.accounting({ ...range, falling })
    const items = found.slice(0, pageSize)
    return page(context, falling ? items.reverse() : items, { hasMore: found.length > pageSize })
  })
}

/** GET treasury-sync: debts, walked by the pair of cursors. */
export const treasurySync: Route<SyncContext> = async (context, request, response) => {
  checkKey(request, context.keys)
  const parameters = new Parameters(request.originalUrl)
  const from = parameters.moment('from')
  const after = parameters.uuid('afterDocumentId')
  const to = parameters.moment('to')
  const documentTypeId = parameters.integer('documentTypeId')
  const pageSize = parameters.pageSize()
  checkOrder(from, to)
  await context.send(response, () => {
    const found = context.world.treasury({
      from: from?.from ?? null,
      after,
      to: to?.to ?? null,
      documentTypeId,
      limit: pageSize,
    })
    const items = found.slice(0, pageSize)
    const last = items.at(-1)
    // An empty page returns the request's cursor, so that a client can poll with it.
    const next = last
      ? { nextFrom: localTime(last.issuedAt, context.world.workspace().offset), nextAfterDocumentId: last.id }
      : { nextFrom: parameters.text('from'), nextAfterDocumentId: parameters.text('afterDocumentId') }
    return page(context, items, { ...next, hasMore: found.length > pageSize })
  })
}

/** Writes the answer's JSON with the items' stored text, unless the laboratory reshapes them. */
function page(
  context: SyncContext,
  items: readonly SyncItem[],
  rest: Readonly<Record<string, unknown>>,
): string {
  const { seed, sync } = context.laboratory()
  const texts = leavesItems(sync)
    ? items.map(({ json }) => json)
    : items.map(({ json }) => JSON.stringify(reshape(readExactly(json), sync)))
  const tail = JSON.stringify({ count: items.length, ...rest }).slice(1)
  return `{"items":[${reorder(texts, sync, seed).join(',')}],${tail}`
}

export interface PluginContext {
  readonly plugins: Plugins
  readonly forwarder: Forwarder
}

const isEventType = (value: unknown): value is PluginEventType =>
  PLUGIN_EVENT_TYPES.some((type) => type === value)

/** POST plugins/events: a plugin's own event goes to the other subscribed plugins, its data unchanged. */
export const pluginEvents: Route<PluginContext> = async (context, request, response) => {
  const sender = senderOf(request, context.plugins)
  const body = await readBody(request)
  const content = parseJson(body)
  if (!isObject(content)) throw bad('bad-body', 'The body must be a JSON object with eventType.')
  const { eventType } = content
  if (!isEventType(eventType))
    throw bad('unknown-event-type', `eventType must be one of ${PLUGIN_EVENT_TYPES.join(', ')}.`)
  if (Object.hasOwn(content, 'data') && !isObject(content.data))
    throw bad('bad-data', 'data must be an object.')
  const forwardedTo = context.forwarder.forward(sender, eventType, memberBytes(body, 'data'))
  response.status(202).json({ forwardedTo })
}

/** Accepts only a plugin's token; refuses an X-Api-Key even beside one (sandbox choice: in this order). */
function senderOf(request: Request, plugins: Plugins): Plugin {
  if (request.get('X-Api-Key') !== undefined)
    throw new Refusal(403, 'key-not-accepted', 'This route takes the own token of a plugin, not an API key.')
  const token = bearer(request.get('Authorization'))
  const sender = token === undefined ? undefined : plugins.owner(token)
  if (sender) return sender
  throw new Refusal(401, 'unknown-token', "Send the plugin's own token as Authorization: Bearer.")
}

/** A moment of a parameter in milliseconds; items are no finer, but a parameter may be. */
interface Moment {
  readonly from: number
  /** As `from`; for a date without a time the last millisecond of the day. */
  readonly to: number
  readonly rest: string
}

/** Zone of a date or time without an offset, in minutes east of UTC (sandbox choice). */
const ZONE = -240
const DAY_MS = 86_400_000

/** Parses every form that the check of Timestamp accepts. @returns null for other text, and for days and times that do not exist */
export function readMoment(typed: string): Moment | null {
  // RFC 3339 allows lower-case letters: t, z and w.
  const text = typed.toUpperCase()
  const date = readDate(text)
  if (date) {
    const from = date.days * DAY_MS - ZONE * 60_000
    return { from, to: from + DAY_MS - 1, rest: '' }
  }
  const time = readDateTime(text, ZONE)
  if (!time) return null
  const at = time.seconds * 1_000 + Number(time.fraction.slice(0, 3).padEnd(3, '0'))
  const rest = time.fraction.slice(3).replace(/0+$/, '')
  return { from: rest === '' ? at : at + 1, to: at, rest }
}

export function endsBefore(to: Moment, from: Moment): boolean {
  const begin = from.rest === '' ? from.from : from.from - 1
  return to.to < begin || (to.to === begin && to.rest < from.rest)
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Reads query parameters; every method throws a Refusal 400 that names the parameter. */
class Parameters {
  readonly #query: URLSearchParams

  constructor(url: string) {
    this.#query = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')
  }

  moment(name: string): Moment | null {
    const text = this.text(name)
    if (text === null) return null
    const moment = readMoment(text)
    if (moment) return moment
    const hint = text.includes(' ') ? ' A "+" has to be sent as %2B.' : ''
    throw bad('bad-date', `${name} is not an ISO 8601 date or date-time.${hint}`)
  }

  requiredMoment(name: string): Moment {
    const moment = this.moment(name)
    if (moment) return moment
    throw bad('missing-parameter', `${name} is required: an ISO 8601 date or date-time.`)
  }

  uuid(name: string): string | null {
    const text = this.text(name)
    if (text !== null && !UUID.test(text)) throw bad('bad-parameter', `${name} is not a UUID.`)
    return text?.toLowerCase() ?? null
  }

  integer(name: string): number | null {
    const text = this.text(name)
    if (text === null) return null
    if (!/^-?\d{1,15}$/.test(text)) throw bad('bad-parameter', `${name} is not an integer.`)
    return Number(text)
  }

  /** Limits: default 200, maximum 500 (below 1 or above the maximum: 400, sandbox choice). */
  pageSize(): number {
    const size = this.integer('pageSize') ?? PAGE_SIZE.default
    if (size >= 1 && size <= PAGE_SIZE.maximum) return size
    throw bad('bad-page-size', `pageSize must be from 1 to ${PAGE_SIZE.maximum}.`)
  }

  text(name: string): string | null {
    const [value, ...more] = this.#query.getAll(name)
    if (more.length > 0) throw bad('bad-parameter', `${name} is given more than once.`)
    return value ?? null
  }
}

/** Both sync routes: a `to` earlier than `from` gets 400 (Errors). */
function checkOrder(from: Moment | null, to: Moment | null): void {
  if (from && to && endsBefore(to, from)) throw bad('bad-range', 'to is earlier than from.')
}
