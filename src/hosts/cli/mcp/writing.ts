import { z } from 'zod'
import { annotationCommands } from '#contract/annotations.ts'
import { faultCommands } from '#contract/faults.ts'
import { replayCommands } from '#contract/replay.ts'
import { sandboxCommands } from '#contract/sandbox-commands.ts'
import { wrongUsage } from '../shared/failures.ts'
import { faultRecords } from './records.ts'
import { type Tool, tool } from './tool.ts'

const send = replayCommands['replay.send'].params.shape
const emit = sandboxCommands['sandbox.emit'].params.shape
const fault = faultCommands['faults.add'].params.shape
const notes = annotationCommands['deliveries.annotate'].params.shape

const LOOPBACK = /^https?:\/\/(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?::\d{1,5})?(?:[/?]|$)/i

/** Tools that change or send something; only with --allow-write. */
export const WRITING: readonly Tool[] = [
  tool({
    name: 'replay_delivery',
    about:
      'Sends a captured delivery again, byte for byte, to a saved target or to an address of this machine, and waits for the answers.',
    params: z.strictObject({
      delivery: send.delivery,
      target: send.to.shape.target.describe('Name of a saved target, or http://127.0.0.1:PORT/PATH.'),
      times: send.times,
    }),
    writes: true,
    run({ target, ...given }, { existing, mask }) {
      // The request carries what the mask hides, so an agent must not choose where on the network it goes.
      if (target.includes('://') && !LOOPBACK.test(target))
        throw wrongUsage('Give the name of a saved target, or an address of this machine.')
      return existing(async ({ call }) => {
        const { attempts } = await call('replay.send', { ...given, to: { target } })
        const shown = attempts.map(({ id, status, ok, tookUs, error }) => ({
          ...{ id, status, ok, tookUs },
          error: error && mask.text(error.code),
        }))
        return { facts: { attempts: shown } }
      })
    },
  }),
  tool({
    name: 'annotate_deliveries',
    about: 'Writes a note on deliveries, or adds and removes tags.',
    params: z.strictObject({ ...notes, ids: notes.ids.max(1_000) }),
    writes: true,
    run: (given, { existing }) =>
      existing(async ({ call }) => ({ facts: await call('deliveries.annotate', given) })),
  }),
  tool({
    name: 'start_sandbox',
    about: 'Starts the sandbox, the simulated service, which sends to the receiver of the running Acuse.',
    params: sandboxCommands['sandbox.start'].params,
    writes: true,
    run: (given, { running }) => running(async ({ call }) => ({ facts: await call('sandbox.start', given) })),
  }),
  tool({
    name: 'trigger_event',
    about:
      'Lets the running sandbox send events of a kind to its subscriptions. `set` puts values at JSON pointers of the envelope, such as {"/data/StatusId": 8}.',
    params: z.strictObject({
      ...{ kind: emit.kind, set: emit.set, seed: emit.seed },
      count: z.int().min(1).max(100).default(1),
    }),
    writes: true,
    run: (given, { running }) =>
      running(async ({ call }) => {
        const { run, events } = await call('sandbox.emit', given)
        return { facts: { run, events: events.length } }
      }),
  }),
  tool({
    name: 'add_fault',
    about:
      'Makes endpoints answer with a status, late, never, or by breaking the connection. Deliveries are stored first.',
    params: z.strictObject({
      effect: fault.effect,
      endpoint: fault.endpoint.default(null),
      probability: fault.probability.default(1),
      seed: fault.seed.default(1),
      filter: fault.filter.default(''),
      next: fault.next.describe('Ends after this many deliveries.').default(null),
      until: fault.until.describe('Ends at this instant, milliseconds since the epoch.').default(null),
    }),
    writes: true,
    run: (given, { running, mask }) =>
      running(async ({ call }) => ({ facts: faultRecords((await call('faults.add', given)).faults, mask) })),
  }),
  tool({
    name: 'remove_faults',
    about: 'Ends one fault rule by its id, or all.',
    params: z.strictObject({ id: faultCommands['faults.remove'].params.shape.id.optional() }),
    writes: true,
    run: ({ id }, { running, mask }) =>
      running(async ({ call }) => {
        const { faults } = await (id === undefined ? call('faults.clear', {}) : call('faults.remove', { id }))
        return { facts: faultRecords(faults, mask) }
      }),
  }),
]
