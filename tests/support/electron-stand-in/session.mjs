import { EventEmitter } from 'node:events'
import { cdp } from './app.mjs'
import { tellDownloads } from './downloads.mjs'
import { fromChromium, protocol } from './protocol.mjs'

/** Electron's permissions by their name in Chromium's DevTools. */
const PERMISSIONS = {
  'clipboard-sanitized-write': 'clipboard-write',
  'clipboard-read': 'clipboard-read',
  geolocation: 'geolocation',
  notifications: 'notifications',
  midi: 'midi',
}
let check = () => true

class Session extends EventEmitter {
  protocol = protocol
  setPermissionRequestHandler() {}
  setPermissionCheckHandler(handler) {
    check = handler
  }
  setDevicePermissionHandler() {}
}
export const session = { defaultSession: new Session(), fromPartition: () => new Session() }

/** Grants the page at a URL the permissions that the app's check handler allows; without a handler all, as Electron does. */
export async function applyPermissions(chromiumUrl) {
  await tellDownloads(session.defaultSession)
  const { origin } = new URL(chromiumUrl)
  for (const [electronName, name] of Object.entries(PERMISSIONS)) {
    const setting = check(null, electronName, `${fromChromium(origin)}/`, {}) ? 'granted' : 'denied'
    await cdp()
      .send('Browser.setPermission', { permission: { name }, setting, origin })
      .catch((error) => process.stderr.write(`stand-in: permission ${name}: ${error.message}\n`))
  }
}
