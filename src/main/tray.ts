import { join } from 'node:path'
import { app, Menu, nativeImage, Tray } from 'electron'
import type { Language } from '#catalog/text.ts'
import type { Settings } from '#contract/settings.ts'
import type { Engine } from '#core/engine/engine.ts'
import { type TrayActions, type TrayFacts, trayIcon, trayMenu, trayState, trayTip } from './tray-menu.ts'

/** Least interval between two counts of today's deliveries. */
const COUNT_MS = 5_000
const HOUR_MS = 3_600_000

export interface TrayParts {
  readonly engine: Engine
  language(settings: Settings): Language
  show(hash?: string): void
  readonly acts: Pick<TrayActions, 'startReceiver' | 'stopReceiver' | 'copyAddress'>
  warn(message: string): void
}

/** Shows the receiver's state in the tray while the app runs; does nothing on a system without a tray. */
export async function keepTray({ engine, language, show, acts, warn }: TrayParts): Promise<void> {
  let settings = await engine.call('settings.get', {})
  let status = await engine.call('status.get', {})
  const icons = join(app.getAppPath(), 'resources/tray')
  const image = () => nativeImage.createFromPath(join(icons, trayIcon(trayState(status), process.platform)))
  let tray: Tray
  try {
    tray = new Tray(image())
  } catch (error) {
    warn(`This system shows no icon in its tray: ${String(error)}`)
    return
  }
  let invalid = 0
  let drawn = ''
  let counting = false

  function draw(): void {
    const url = status.receiver.state === 'listening' ? status.receiver.url : null
    const facts: TrayFacts = {
      language: language(settings),
      state: trayState(status),
      url,
      today: status.counts.today,
      invalid,
    }
    const wanted = JSON.stringify(facts)
    if (wanted === drawn) return
    drawn = wanted
    tray.setImage(image())
    tray.setToolTip(trayTip(facts))
    tray.setContextMenu(
      Menu.buildFromTemplate(
        trayMenu(facts, {
          open: () => show(),
          openInvalid: () =>
            show(`#/stream?filter=${encodeURIComponent('verdict:>=invalid received:today')}`),
          ...acts,
          quit: () => app.quit(),
        }),
      ),
    )
  }

  /** Counts from the totals that analysis keeps, so that the cost does not grow with the deliveries. */
  async function count(): Promise<void> {
    const now = new Date()
    const from = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()
    const to = from + 26 * HOUR_MS
    const { keys, buckets } = await engine.call('timeline.get', {
      from,
      to,
      bucketMs: HOUR_MS,
      by: 'verdict',
      filter: '',
    })
    const wrong = keys.flatMap((key, at) => (key === 'invalid' || key === 'unreadable' ? [at] : []))
    invalid = buckets.reduce((sum, { counts }) => wrong.reduce((all, at) => all + (counts[at] ?? 0), sum), 0)
    draw()
  }
  function countSoon(): void {
    if (counting) return
    counting = true
    setTimeout(() => {
      counting = false
      // The icon already shows a problem of the store; the next delivery starts another count.
      count().catch(() => undefined)
    }, COUNT_MS)
  }

  engine.subscribe((push, payload) => {
    if (push === 'settings.changed') settings = payload
    else if (push === 'status.changed') status = payload
    else if (push !== 'deliveries.changed' && push !== 'store.reset') return
    if (push === 'deliveries.changed' || push === 'store.reset') countSoon()
    else draw()
  })
  // A click opens the menu on macOS and Linux, but on Windows the app has to handle it.
  if (process.platform === 'win32') tray.on('click', () => show())
  app.on('quit', () => tray.destroy())
  draw()
  await count().catch(() => undefined)
}
