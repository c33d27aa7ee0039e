import { z } from 'zod'
import { KINDS, type Kind } from '#catalog/kinds.ts'
import { DELIVERY_METHODS } from '#catalog/service.ts'
import { tryConnection } from '../dispatch/dispatcher.ts'
import { localTime } from '../domain/json.ts'
import { notFound } from '../domain/refusal.ts'
import {
  headerProblem,
  type Subscription,
  type SubscriptionSettings,
  urlProblem,
  urlWarning,
} from '../records/subscriptions.ts'
import {
  type AdminContext,
  type AdminRoute,
  created,
  idFrom,
  name,
  ok,
  orEmpty,
  route,
  understood,
} from './route.ts'

const KIND_NAMES = KINDS.map(({ kind }) => kind) as [Kind, ...Kind[]]

/** @param rule gives a sentence about what is wrong, or null */
const ruled = <T>(schema: z.ZodType<T>, rule: (value: T) => string | null) =>
  schema.superRefine((value, context) => {
    const problem = rule(value)
    if (problem !== null) context.addIssue({ code: 'custom', message: problem })
  })

const url = ruled(z.string().max(8_192), urlProblem)
const header = ruled(z.strictObject({ name: z.string(), value: z.string() }), headerProblem)
const kinds = z
  .array(z.enum(KIND_NAMES))
  .refine((list) => new Set(list).size === list.length, 'the same kind stands there twice')

const change = z
  .strictObject({
    name,
    url,
    method: z.enum(DELIVERY_METHODS),
    headers: z.array(header),
    kinds,
    active: z.boolean(),
  })
  .partial()
const creation = change.required({ url: true })

const shown = (subscription: Subscription) => ({
  ...subscription,
  warnings: [
    ...[urlWarning(subscription.url)].filter((warning) => warning !== null),
    ...(subscription.kinds.length === 0 ? ['No kind of event is selected: nothing will be sent.'] : []),
  ],
})

/** Members that were left out do not change. */
function merged(before: SubscriptionSettings, settings: z.output<typeof change>): SubscriptionSettings {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined)
  return { ...before, ...Object.fromEntries(given) }
}

/** Subscriptions are managed here and in the window only: the service has no public API for them (What the service does, rule 5). */
export function subscriptionRoutes(context: AdminContext): readonly AdminRoute[] {
  const { subscriptions, dispatcher, log, world } = context
  const existing = (id: string | undefined): Subscription => {
    const found = subscriptions.get(idFrom(id))
    if (!found) throw notFound('There is no such subscription.')
    return found
  }
  return [
    route('get', '/subscriptions', 'List the subscriptions.', () =>
      ok({ subscriptions: subscriptions.list().map(shown) }),
    ),
    route(
      'post',
      '/subscriptions',
      'Add one: url, and if wanted name, method (GET, PUT, POST), headers, kinds (default all 28), active.',
      ({ body }) => {
        const settings = understood(creation, orEmpty(body))
        const defaults = {
          name: settings.url,
          method: 'POST',
          headers: [],
          kinds: KIND_NAMES,
          active: true,
        } as const
        return created(shown(subscriptions.add(merged({ ...defaults, url: settings.url }, settings))))
      },
    ),
    route(
      'put',
      '/subscriptions/:id',
      'Change one; members left out stay as they are.',
      ({ params, body }) => {
        const { id, ...before } = existing(params.id)
        return ok(shown(subscriptions.replace(id, merged(before, understood(change, orEmpty(body))))))
      },
    ),
    route(
      'delete',
      '/subscriptions/:id',
      'Remove one; what waits for it is not sent any more.',
      ({ params }) => {
        const { id } = existing(params.id)
        subscriptions.remove(id)
        dispatcher.forget(id)
        return ok({ removed: id })
      },
    ),
    route(
      'post',
      '/subscriptions/:id/test',
      'Send the connectivity test, active or not; it is no event and is logged apart.',
      async ({ params }) => {
        const now = context.now()
        const timestamp = localTime(now, world.workspace().offset)
        const entry = await tryConnection(existing(params.id), {
          now,
          timestamp,
          timeoutMs: context.timeoutMs,
        })
        log.entry(entry)
        const [written] = log.full({ type: 'test', order: 'newest', limit: 1 })
        return ok(written)
      },
    ),
  ]
}
