import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cdp, prevented } from './app.mjs'
import { fromChromium } from './protocol.mjs'

let folder
const items = new Map()

/** A download as the app sees it. The person of the stand-in takes the place that the dialog begins with. */
class DownloadItem {
  #url
  #name
  #place

  constructor(url, name) {
    this.#url = url
    this.#name = name
  }
  get place() {
    return this.#place
  }
  getURL() {
    return this.#url
  }
  getFilename() {
    return this.#name
  }
  setSaveDialogOptions({ defaultPath }) {
    this.#place = defaultPath
  }
}

/** Has every download of Chromium told to the session first, as Electron does. Safe to call again: another client may have changed it. */
export async function tellDownloads(session) {
  if (!folder) {
    folder = mkdtempSync(join(tmpdir(), 'acuse-stand-in-downloads-'))
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    cdp().on('Browser.downloadWillBegin', ({ guid, url, suggestedFilename }) => {
      const item = new DownloadItem(
        url.replace(/^blob:(.+)$/, (_, of) => `blob:${fromChromium(of)}`),
        suggestedFilename,
      )
      if (prevented((event) => session.emit('will-download', event, item, null)))
        void cdp()
          .send('Browser.cancelDownload', { guid })
          .catch(() => undefined)
      else items.set(guid, item)
    })
    cdp().on('Browser.downloadProgress', ({ guid, state }) => {
      const place = items.get(guid)?.place
      if (state === 'completed' && place) renameSync(join(folder, guid), place)
    })
  }
  await cdp().send('Browser.setDownloadBehavior', {
    ...{ behavior: 'allowAndName', downloadPath: folder, eventsEnabled: true },
  })
}
