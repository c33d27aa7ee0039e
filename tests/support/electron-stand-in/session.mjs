import { EventEmitter } from 'node:events'
import { cdp } from './app.mjs'
import { tellDownloads } from './downloads.mjs'
import { fromChromium, protocol } from './protocol.mjs'

/** Permissions of Electron that Chromium's DevTools know, by the name they have there. */
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
export const session = { defaultSession: new Session() }

/** Gives the page at a URL what the app's check handler grants, and nothing where it denies: Electron's default is to grant all. */
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
