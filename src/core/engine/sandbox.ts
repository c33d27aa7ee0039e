import type { HandlersOf, Params, Result } from '#contract/commands.ts'
import { AcuseError, refused } from '#contract/errors.ts'
import type { SandboxLogEntry, SandboxSubscription } from '#contract/sandbox.ts'
import { SANDBOX_CALL_NAMES, type SandboxCallName } from '#contract/sandbox-commands.ts'
import { placeFinder, scanJson } from '../json/scan.ts'
import type { Masking } from '../masking.ts'
import type { SandboxControl } from '../ports.ts'
import { forwarded } from '../threads.ts'

/** @param control null in a host without a sandbox */
export function sandboxHandlers(
  control: SandboxControl | null,
  masking: Masking,
): HandlersOf<`sandbox.${string}`> {
  const host = (): SandboxControl => {
    if (!control) throw refused('not-available', 'no-sandbox')
    return control
  }
  const call = async <C extends SandboxCallName>(command: C, params: Params<C>): Promise<Result<C>> =>
    host().call(command, params)
  const subscription = (one: SandboxSubscription): SandboxSubscription => ({
    ...one,
    headers: one.headers.map(masking.header),
  })
  const entry = (one: SandboxLogEntry): SandboxLogEntry => ({
    ...masking.row(one),
    request: {
      ...one.request,
      head: one.request.head === null ? null : masking.head(one.request.head),
    },
    answer: one.answer && { ...one.answer, head: masking.head(one.answer.head) },
  })

  return {
    // Most calls are forwarded unchanged; the ones below mask or check.
    ...forwarded(SANDBOX_CALL_NAMES, call),
    'sandbox.status': async () => (control ? control.status() : { running: false }),
    'sandbox.start': async ({ port }) => host().start(port),
    'sandbox.stop': async () => host().stop(),
    'sandbox.subscriptions': async (params) => {
      const { subscriptions } = await call('sandbox.subscriptions', params)
      return { subscriptions: subscriptions.map(subscription) }
    },
    'sandbox.save-subscription': async (change) =>
      subscription(await call('sandbox.save-subscription', change)),
    'sandbox.test-subscription': async (params) => entry(await call('sandbox.test-subscription', params)),
    'sandbox.send': async (params) => {
      checkJson(params.body)
      return call('sandbox.send', params)
    },
    'sandbox.log': async (params) => {
      const page = await call('sandbox.log', params)
      return { ...page, entries: page.entries.map(masking.row) }
    },
    'sandbox.log-entries': async (params) => {
      const page = await call('sandbox.log-entries', params)
      return { ...page, entries: page.entries.map(entry) }
    },
    'sandbox.log-entry': async ({ id, reveal }) => {
      // The sandbox masks nothing, so masking happens here.
      const found = await call('sandbox.log-entry', { id })
      return reveal ? found : entry(found)
    },
  }
}

/** Accepts bodies that break the schema, but only JSON: no service sends anything else. */
function checkJson(body: string): void {
  const scanned = scanJson(body)
  if (!('problem' in scanned)) return
  const { line, column } = placeFinder(body)(scanned.offset)
  throw new AcuseError('bad-params', `body: not JSON from line ${line}, column ${column} on.`, {
    path: 'body',
    line,
    column,
    reason: scanned.problem,
  })
}
