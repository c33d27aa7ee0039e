import type { Params } from '#contract/commands.ts'
import { api } from './api.ts'
import { useStatus } from './status.ts'

/** Starts listening, at another address when one is given. A taken port is no refusal: the status says so, and so does a banner. */
export function startReceiver(params: Params<'receiver.start'>): void {
  api
    .call('receiver.start', params)
    .then(useStatus.getState().receive)
    // The host cannot be reached: the banner of the lost connection already says so.
    .catch(() => undefined)
}
