import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cdp, prevented } from './app.mjs'
import { fromChromium } from './protocol.mjs'

let folder
const items = new Map()

/** Reports each of Chromium's downloads to the session first, as Electron does. Idempotent: another client may have changed the setting. */
export async function tellDownloads(session) {
  if (!folder) {
    folder = mkdtempSync(join(tmpdir(), 'acuse-stand-in-downloads-'))
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
    cdp().on('Browser.downloadWillBegin', ({ guid, url, suggestedFilename }) => {
      const item = {
        getURL: () => url.replace(/^blob:(.+)$/, (_, of) => `blob:${fromChromium(of)}`),
        getFilename: () => suggestedFilename,
        /** The stand-in accepts the dialog's default path, as a user would. */
        setSaveDialogOptions({ defaultPath }) {
          item.place = defaultPath
        },
      }
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
