import { cdp } from './app.mjs'

const own = new Set()
let creating = Promise.resolve()
let watching = false

/** Opens a page in Chromium for a window. @returns its target id and the session id of its connection */
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

/** Ignores a failure, since the page may have closed already. */
export const closeTarget = (targetId) =>
  cdp()
    .send('Target.closeTarget', { targetId })
    .catch(() => undefined)

/** Closes pages that no window requested, since Chromium reports a popup only after opening it: the stand-in supports `deny` alone. */
async function refusePopups() {
  cdp().on('Target.targetCreated', async ({ targetInfo }) => {
    await creating
    // The answer to createTarget may come after this event.
    await new Promise(setImmediate)
    if (targetInfo.type === 'page' && !own.has(targetInfo.targetId)) await closeTarget(targetInfo.targetId)
  })
  await cdp().send('Target.setDiscoverTargets', { discover: true })
}
