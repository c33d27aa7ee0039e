import { EventEmitter } from 'node:events'
import type { Session, WebContents } from 'electron'
import { expect, it, vi } from 'vitest'
import { confine, denyPermissions, externalLink } from '../../../src/main/security.ts'
import { words } from '../../support/words.ts'

const PAGE = 'app://acuse/electron.html'

type Request = (from: null, permission: string, answer: (granted: boolean) => void, details: object) => void
type Check = (contents: null, permission: string, origin: string) => boolean
const host = {
  setPermissionRequestHandler: vi.fn<(handler: Request) => void>(),
  setPermissionCheckHandler: vi.fn<(handler: Check) => void>(),
  setDevicePermissionHandler: vi.fn<(handler: () => boolean) => void>(),
}
denyPermissions(host as unknown as Session, 'app://acuse')
const handlers = {
  request: host.setPermissionRequestHandler.mock.lastCall?.[0],
  check: host.setPermissionCheckHandler.mock.lastCall?.[0],
  device: host.setDevicePermissionHandler.mock.lastCall?.[0],
}
function requested(permission: string, requestingUrl: string) {
  const answer = vi.fn<(granted: boolean) => void>()
  handlers.request?.(null, permission, answer, { requestingUrl })
  return answer.mock.lastCall?.[0]
}

it.each(words`media geolocation notifications midi openExternal clipboard-read fullscreen hid ${''}`)(
  'permissions (Electron checklist, item 5): are denied: %s',
  (permission) => {
    expect(requested(permission, PAGE)).toBe(false)
    expect(handlers.check?.(null, permission, 'app://acuse/')).toBe(false)
  },
)
it('permissions: devices are denied', () => expect(handlers.device?.()).toBe(false))
it('permissions: only copying is granted, and only to our page', () => {
  expect(requested('clipboard-sanitized-write', PAGE)).toBe(true)
  expect(handlers.check?.(null, 'clipboard-sanitized-write', 'app://acuse/')).toBe(true)
  expect(requested('clipboard-sanitized-write', 'https://acuse/')).toBe(false)
  expect(handlers.check?.(null, 'clipboard-sanitized-write', '')).toBe(false)
})

it('links that leave the app (checklist, item 15): open when they are https', () =>
  expect(externalLink('https://example.com/a?b#c')).toBe('https://example.com/a?b#c'))
it.each([
  'http://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,x',
  'smb://host/share',
  'app://acuse/electron.html',
  'ms-settings:',
  'https://user:password@example.com/',
  'https://user@example.com/',
  `https://example.com/${'x'.repeat(2_000)}`,
  '//example.com',
  '',
])('links that leave the app: are refused: %s', (url) => expect(externalLink(url)).toBeUndefined())

type Opened = (details: { url: string }) => { action: string }
const external: string[] = []
const windows: string[] = []
let opened: Opened | undefined
const contents = Object.assign(new EventEmitter(), {
  setWindowOpenHandler: (handler: Opened) => {
    opened = handler
  },
})
confine(contents as unknown as WebContents, PAGE, {
  external: (url) => void external.push(url),
  window: (hash) => void windows.push(hash),
})
function prevented(event: string, url: string): boolean {
  const preventDefault = vi.fn<() => void>()
  contents.emit(event, { url, preventDefault })
  return preventDefault.mock.calls.length > 0
}

it.each(['will-navigate', 'will-frame-navigate', 'will-redirect'])(
  'a window stays on its page (checklist, items 11 to 14): %s to elsewhere is stopped',
  (event) => {
    for (const url of words`https://example.com/ file:///x app://acuse/index.html app://other/electron.html ${''}`)
      expect(prevented(event, url), url).toBe(true)
  },
)
it('a window stays on its page: a reload is let through', () => {
  expect(prevented('will-navigate', PAGE)).toBe(false)
  expect(prevented('will-navigate', `${PAGE}#/settings`)).toBe(false)
})
it('a window stays on its page: no webview is attached', () =>
  expect(prevented('will-attach-webview', PAGE)).toBe(true))
it('a window stays on its page: our own page at another place is a window of ours, an https link goes to the browser, anything else nowhere', () => {
  const others = ['acuse/electron.html?x', 'acuse/index.html', 'other/electron.html']
  const elsewhere = others.map((page) => `app://${page}#/delivery/42`)
  const links = ['https://example.com/', 'file:///etc/passwd', ...elsewhere, `${PAGE}#${'x'.repeat(40_000)}`]
  for (const url of [`${PAGE}#/delivery/42`, PAGE, ...links])
    expect(opened?.({ url })).toEqual({ action: 'deny' })
  expect(windows).toEqual(['#/delivery/42', ''])
  expect(external).toEqual(['https://example.com/'])
})
