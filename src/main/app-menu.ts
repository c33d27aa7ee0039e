import { app, type BrowserWindow, clipboard, Menu, shell } from 'electron'
import type { Settings } from '#contract/settings.ts'
import type { HostStatus } from '#contract/status.ts'
import type { Host } from '#hosts/assemble.ts'
import { menuTemplate } from './menu.ts'
import { type Language, menuLanguage } from './menu-labels.ts'
import type { PageSource } from './page.ts'

/**
 * Keeps the application menu true to the settings (language) and to the receiver (start or stop).
 * @param window the present window, if there is one
 */
export async function keepMenu(
  host: Host,
  page: PageSource,
  window: () => BrowserWindow | undefined,
  warn: (message: string) => void,
): Promise<void> {
  const { engine } = host
  const ask = (asked: Promise<unknown>) => void asked.catch((error: unknown) => warn(String(error)))
  const [settings, status] = await Promise.all([
    engine.call('settings.get', {}),
    engine.call('status.get', {}),
  ])
  let language = languageOf(settings)
  let receiver = status.receiver
  let drawn = ''

  function draw(): void {
    const listening = receiver.state === 'listening'
    const wanted = `${language} ${listening}`
    if (wanted === drawn) return
    drawn = wanted
    const actions = {
      // A changed hash is a move within the document: nothing is loaded, and the page follows it (stores/route.ts).
      goTo: (screen: string) =>
        void window()
          ?.loadURL(`${page.url}#/${screen}`)
          .catch(() => undefined),
      press: (keyCode: string, held: readonly ('control' | 'meta' | 'shift')[] = []) => {
        const modifiers = [...held]
        window()?.webContents.sendInputEvent({ type: 'keyDown', keyCode, modifiers })
        window()?.webContents.sendInputEvent({ type: 'keyUp', keyCode, modifiers })
      },
      startReceiver: () => ask(engine.call('receiver.start', {})),
      stopReceiver: () => ask(engine.call('receiver.stop', {})),
      copyAddress: () => {
        if (receiver.state === 'listening') clipboard.writeText(receiver.url)
      },
      showDataFolder: () => ask(shell.openPath(host.dataDir)),
    }
    Menu.setApplicationMenu(
      Menu.buildFromTemplate(menuTemplate({ language, platform: process.platform, listening }, actions)),
    )
  }

  engine.subscribe((push, payload) => {
    // The pair is one by the listener's type; a switch over the name alone does not narrow the payload.
    if (push === 'settings.changed') language = languageOf(payload as Settings)
    else if (push === 'status.changed') receiver = (payload as HostStatus).receiver
    else return
    draw()
  })
  draw()
}

const languageOf = ({ appearance }: Settings): Language => menuLanguage(appearance.language, app.getLocale())
