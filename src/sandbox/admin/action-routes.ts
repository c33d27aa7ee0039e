import { z } from 'zod'
import { kindSpec } from '#catalog/kinds.ts'
import { bad, notFound } from '../domain/refusal.ts'
import { isObject } from '../http/body.ts'
import { USUAL_MIX } from '../traffic/traffic.ts'
import {
  type AdminContext,
  type AdminRoute,
  kindName,
  ok,
  orEmpty,
  route,
  seed,
  shownEvent,
  understood,
} from './route.ts'

/** More at a time would hold the answer back for long; a scenario or the traffic generator makes many. */
const MOST_EMITTED = 1_000

const emission = z.strictObject({
  kind: kindName,
  data: z.unknown().optional(),
  set: z.record(z.string(), z.unknown()).optional(),
  count: z.int().min(1).max(MOST_EMITTED).default(1),
  seed: seed.optional(),
})
const scenarioOptions = z.strictObject({
  count: z.int().min(1).max(1_000_000).optional(),
  seed: seed.optional(),
  /** Answer at once; GET /runs/{run} tells how far it is. */
  background: z.boolean().default(false),
})
const weight = z.number().min(0).max(1_000_000)
const trafficSettings = z.strictObject({
  rate: z.number().min(0.01).max(500),
  mix: z
    .record(z.string(), weight)
    .superRefine((mix, context) => {
      const unknown = Object.keys(mix).find((kind) => !kindSpec(kind))
      if (unknown !== undefined)
        context.addIssue({ code: 'custom', message: `"${unknown.slice(0, 100)}" is none of the 28 kinds` })
      else if (!Object.values(mix).some((share) => share > 0))
        context.addIssue({ code: 'custom', message: 'needs a kind with a weight above 0' })
    })
    .default(USUAL_MIX),
  seed: seed.default(1),
  count: z.int().min(1).max(10_000_000).default(10_000_000),
  seconds: z.number().min(1).max(86_400).default(3_600),
})

/** Everything that makes events: operations, single kinds, scenarios, traffic. */
export function actionRoutes({ world, runs, traffic }: AdminContext): readonly AdminRoute[] {
  return [
    route('get', '/operations', 'List the operations with their parameters, and the scenarios.', () =>
      ok({ operations: world.operations, scenarios: world.scenarios }),
    ),
    route(
      'post',
      '/operations/:name',
      'Perform an operation, such as create-invoice or edit-amount; its events are dispatched.',
      ({ params, body }) => {
        const given = orEmpty(body)
        if (!isObject(given))
          throw bad('bad-input', 'The body must be an object with the parameters of the operation.')
        const { id, events } = world.perform(params.name ?? '', given)
        return ok({ id, run: runs.submit(events), events: events.map(shownEvent) })
      },
    ),
    route(
      'post',
      '/emit',
      'Emit one kind (kind; count up to 1000): its own content, or data as given, then set: {"/data/StatusId": 5} puts values at JSON pointers of the envelope; seed for data of its own.',
      ({ body }) => {
        const { kind, data, set, count, seed: first } = understood(emission, orEmpty(body))
        const options = {
          ...(data === undefined ? {} : { data }),
          ...(set === undefined ? {} : { overrides: new Map(Object.entries(set)) }),
        }
        const events = Array.from({ length: count }, (_, i) =>
          world.emit(kind, { ...options, ...(first === undefined ? {} : { seed: first + i }) }),
        )
        return ok({ run: runs.submit(events), events: events.map(shownEvent) })
      },
    ),
    route(
      'post',
      '/scenarios/:slug',
      'Run a scenario (count where it takes one, seed); answers when its last event has been made, or at once with background.',
      async ({ params, body }) => {
        const { count, seed: own, background } = understood(scenarioOptions, orEmpty(body))
        const steps = world.scenario(params.slug ?? '', {
          ...(count === undefined ? {} : { count }),
          ...(own === undefined ? {} : { seed: own }),
        })
        const { run, ended } = runs.play(steps)
        return ok({ scenario: params.slug, ...(background ? runs.get(run) : await ended) })
      },
    ),
    route(
      'get',
      '/runs/:run',
      'Tell how far a call or scenario is: running, events made, deliveries pending.',
      ({ params }) => {
        const run = runs.get(params.run ?? '')
        if (!run) throw notFound('There is no such run, or it was long ago.')
        return ok(run)
      },
    ),
    route('delete', '/runs/:run', 'Stop a scenario; events that were made are delivered.', ({ params }) => {
      const run = params.run ?? ''
      if (!runs.get(run)) throw notFound('There is no such run, or it was long ago.')
      runs.stop(run)
      return ok(runs.get(run))
    }),
    route('get', '/traffic', 'Tell whether the traffic generator runs, and what it has made.', () =>
      ok(traffic.state()),
    ),
    route(
      'post',
      '/traffic',
      'Start the traffic generator: rate (events/s, up to 500), mix (kind: weight), seed, count, seconds.',
      ({ body }) => ok(traffic.start(understood(trafficSettings, orEmpty(body)))),
    ),
    route('delete', '/traffic', 'Stop the traffic generator.', () => ok(traffic.stop())),
  ]
}

const asked = z.strictObject({ kind: kindName, seed: seed.optional() })
const edited = z.strictObject({
  kind: kindName,
  body: z.string().refine((text) => text.isWellFormed(), 'holds half of a surrogate pair'),
})

/** For an editor: the body as it would be sent, and sending what became of it. */
export function bodyRoutes({ world, runs }: AdminContext): readonly AdminRoute[] {
  return [
    route(
      'post',
      '/preview',
      'Show the body that emit would send now (kind, seed), indented; nothing is kept or sent.',
      ({ body }) => {
        const { kind, seed: own } = understood(asked, orEmpty(body))
        return ok({ body: world.preview(kind, own) })
      },
    ),
    route(
      'post',
      '/send',
      'Dispatch this JSON text (kind, body) to the subscriptions of the kind exactly as it stands, whether or not it fits the schema.',
      ({ body }) => {
        const { kind, body: text } = understood(edited, orEmpty(body))
        const event = world.send(kind, text)
        return ok({ run: runs.submit([event]), events: [shownEvent(event)] })
      },
    ),
  ]
}
