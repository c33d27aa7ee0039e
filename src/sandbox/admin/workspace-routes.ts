import { z } from 'zod'
import { KINDS } from '#catalog/kinds.ts'
import { WEBHOOK_PLAN } from '#catalog/service.ts'
import { laboratorySettings, NO_LABORATORY } from '../laboratory/laboratory.ts'
import { type AdminContext, type AdminRoute, name, ok, orEmpty, route, seed, understood } from './route.ts'

const workspaceChange = z
  .strictObject({ name, plan: name, offset: z.string().regex(/^[+-]\d\d:[0-5]\d$/, 'must look like -04:00') })
  .partial()
const resetOptions = z.strictObject({
  seed: seed.optional(),
  /** Also removes subscriptions. */
  subscriptions: z.boolean().default(false),
})

const part = laboratorySettings.shape
/** Members left out stay as they are, inside the parts too. */
const laboratoryChange = z
  .strictObject({
    seed: part.seed,
    lose: part.lose.partial(),
    delay: part.delay.partial(),
    duplicate: part.duplicate.partial(),
    reorder: part.reorder.partial(),
    cut: part.cut.partial(),
    sync: part.sync.partial(),
  })
  .partial()

/** The workspace as a whole: its plan, its laboratory, its state, its beginning anew. */
export function workspaceRoutes(context: AdminContext): readonly AdminRoute[] {
  const { world, dispatcher, log, laboratory, subscriptions, keys, plugins, runs, traffic } = context
  const state = () => ({
    workspace: world.workspace(),
    /** Nothing warns in the real service; this is our screen. */
    dispatches: world.workspace().plan === WEBHOOK_PLAN,
    counts: world.counts(),
    subscriptions: subscriptions.list().length,
    keys: keys.list().length,
    plugins: plugins.list().length,
    laboratory: laboratory.get(),
    traffic: traffic.state(),
    log: log.counts(),
    pending: dispatcher.pending,
    kinds: KINDS.map(({ kind, group }) => ({ kind, group })),
    scenarios: world.scenarios,
  })
  return [
    route(
      'get',
      '/state',
      'Show the workspace, what is in it, the laboratory, the traffic generator and the counts of the log.',
      () => ok(state()),
    ),
    route(
      'put',
      '/workspace',
      'Change name, plan (only Corporativo dispatches webhooks) or offset (of Timestamp, such as -04:00).',
      ({ body }) => {
        const given = understood(workspaceChange, orEmpty(body))
        const present = Object.entries(given).filter(([, value]) => value !== undefined)
        return ok(world.setWorkspace(Object.fromEntries(present)))
      },
    ),
    route('get', '/laboratory', 'Show the laboratory: what goes beyond the real service.', () =>
      ok(laboratory.get()),
    ),
    route('put', '/laboratory', 'Change the laboratory; members left out stay as they are.', ({ body }) => {
      const before = laboratory.get()
      const given = understood(laboratoryChange, orEmpty(body))
      const wanted = {
        seed: given.seed ?? before.seed,
        lose: { ...before.lose, ...given.lose },
        delay: { ...before.delay, ...given.delay },
        duplicate: { ...before.duplicate, ...given.duplicate },
        reorder: { ...before.reorder, ...given.reorder },
        cut: { ...before.cut, ...given.cut },
        sync: { ...before.sync, ...given.sync },
      }
      laboratory.set(understood(laboratorySettings, wanted))
      return ok(laboratory.get())
    }),
    route('delete', '/laboratory', 'Switch everything in the laboratory off.', () => {
      laboratory.set(NO_LABORATORY)
      return ok(laboratory.get())
    }),
    route(
      'post',
      '/reset',
      'Begin anew from the seed: documents, log and laboratory are emptied, traffic stops. Credentials stay, and subscriptions unless {"subscriptions": true}.',
      async ({ body }) => {
        const options = understood(resetOptions, orEmpty(body))
        traffic.stop('reset')
        runs.stopAll()
        await dispatcher.reset()
        world.reset(options.seed)
        log.clear()
        laboratory.set(NO_LABORATORY)
        if (options.subscriptions) for (const { id } of subscriptions.list()) subscriptions.remove(id)
        return ok(state())
      },
    ),
  ]
}
