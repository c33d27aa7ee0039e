import { cdp } from './app.mjs'

const own = new Set()
let creating = Promise.resolve()
let watching = false

/** Opens a page of Chromium for a window. @returns its target id and the session of an attached connection */
export async function createTarget(width, height) {
  if (!watching) {
    watching = true
    await refusePopups()
  }
  const created = cdp().send('Target.createTarget', { url: 'about:blank', newWindow: true, width, height })
  creating = created.catch(() => undefined)
  const { targetId } = await created
  own.add(targetId)
  const { sessionId } = await cdp().send('Target.attachToTarget', { targetId, flatten: true })
  return { targetId, sessionId }
}

/** It may have gone already. */
export const closeTarget = (targetId) =>
  cdp()
    .send('Target.closeTarget', { targetId })
    .catch(() => undefined)

/** Chromium tells of a popup when it is there already. Pages that no window asked for are closed: only `deny` is supported. */
async function refusePopups() {
  cdp().on('Target.targetCreated', async ({ targetInfo }) => {
    await creating
    // The answer to createTarget may come after this event.
    await new Promise(setImmediate)
    if (targetInfo.type === 'page' && !own.has(targetInfo.targetId)) await closeTarget(targetInfo.targetId)
  })
  await cdp().send('Target.setDiscoverTargets', { discover: true })
}
