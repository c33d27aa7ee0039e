import { join } from 'node:path'
import type { Session, WebContents } from 'electron'
import { originOf, ownPlace } from './page.ts'

/** Granted permissions: copy buttons need this one; reading the clipboard stays denied. */
const GRANTED: ReadonlySet<string> = new Set(['clipboard-sanitized-write'])

/** Denies every permission except copying from our own page; without handlers Electron grants all (checklist, item 5). */
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
 * Lets our own page save its blobs where the user chooses; the system's dialog opens in the folder of downloads. Cancels every
 * other download, since the window offers nothing else to save.
 */
export function keepDownloads(session: Session, origin: string, folder: () => string): void {
  session.on('will-download', (event, item) => {
    if (item.getURL().startsWith(`blob:${origin}/`))
      item.setSaveDialogOptions({ defaultPath: join(folder(), item.getFilename()) })
    else event.preventDefault()
  })
}

/**
 * @returns the address for the system's browser, or undefined when refused: only https, no credentials, at most 2,000 characters
 * (checklist, item 15). Captured content is never a link, so only links to documentation arrive here.
 */
export function externalLink(url: string): string | undefined {
  const parsed = URL.parse(url)
  if (parsed?.protocol !== 'https:' || parsed.username || parsed.password || url.length > 2_000) return
  return parsed.href
}

/**
 * Keeps a web contents on its page: no navigation, no windows by Chromium, no webviews (checklist, items 11 to 14). It allows a reload
 * of the same page. @param open opens the permitted links and windows
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
    // Never let Chromium open a window: ours needs the preload script and the same restrictions as every other.
    if (place !== undefined) open.window(place)
    else if (link) open.external(link)
    return { action: 'deny' }
  })
}

/** A link such as `acuse:delivery/42`, as a chat or an issue holds it. Some programs insert the slashes. */
const LINK = /^acuse:(?:\/\/)?delivery\/([1-9]\d{0,14})\/?$/i
const SCHEME = /^acuse:/i

/**
 * Finds the link to open among a start's arguments. A link comes from any page or program, so it can only show a stored delivery: it has
 * neither commands nor parameters.
 * @returns the window's route; undefined without a link, and for every link of another form
 */
export function linkedRoute(given: readonly string[]): string | undefined {
  const id = LINK.exec(given.find((one) => SCHEME.test(one)) ?? '')?.[1]
  return id === undefined ? undefined : `#/stream?id=${id}`
}
