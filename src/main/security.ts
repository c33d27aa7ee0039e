import { join } from 'node:path'
import type { Session, WebContents } from 'electron'
import { originOf, ownPlace } from './page.ts'

/** Copy buttons need it; reading the clipboard stays denied. */
const GRANTED: ReadonlySet<string> = new Set(['clipboard-sanitized-write'])

/** Denies every permission but copying from our own page; without handlers Electron grants all of them (checklist, item 5). */
export function denyPermissions(session: Session, origin: string): void {
  const granted = (permission: string, url: string): boolean =>
    GRANTED.has(permission) && originOf(url) === origin
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(granted(permission, details.requestingUrl))
  })
  session.setPermissionCheckHandler((_contents, permission, requesting) => granted(permission, requesting))
  session.setDevicePermissionHandler(() => false)
}

/**
 * Lets our own page save what it made itself, where the person says; the system's dialog begins in the folder of downloads. Whatever
 * else would come down is stopped: nothing else in this window is there to be saved.
 */
export function keepDownloads(session: Session, origin: string, folder: () => string): void {
  session.on('will-download', (event, item) => {
    if (item.getURL().startsWith(`blob:${origin}/`))
      item.setSaveDialogOptions({ defaultPath: join(folder(), item.getFilename()) })
    else event.preventDefault()
  })
}

/**
 * The address to hand to the system's browser for a link, or undefined when it is refused: only https, no credentials, no oddities
 * (checklist, item 15). Captured content is never a link, so this serves the documentation links alone.
 */
export function externalLink(url: string): string | undefined {
  const parsed = URL.parse(url)
  if (parsed?.protocol !== 'https:' || parsed.username || parsed.password || url.length > 2_000) return
  return parsed.href
}

/**
 * Keeps a web contents on its page: no navigation, no new windows of its own, no webviews (checklist, items 11 to 14). Loading the same
 * page again is let through: that is what a reload is. @param open what may be opened all the same
 */
export function confine(
  contents: WebContents,
  pageUrl: string,
  open: { external(url: string): void; window(hash: string): void },
): void {
  const stay = (event: { readonly url: string; preventDefault(): void }): void => {
    if (event.url.replace(/#.*/s, '') !== pageUrl) event.preventDefault()
  }
  contents.on('will-navigate', stay)
  contents.on('will-frame-navigate', stay)
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    const place = ownPlace(url, pageUrl)
    const link = externalLink(url)
    // Never by Chromium: a window of ours is made like every other one, with its preload script and its rules.
    if (place !== undefined) open.window(place)
    else if (link) open.external(link)
    return { action: 'deny' }
  })
}
