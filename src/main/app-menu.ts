import { app, clipboard, Menu, shell } from 'electron'
import type { Settings } from '#contract/settings.ts'
import type { HostStatus } from '#contract/status.ts'
import type { Host } from '#hosts/assemble.ts'
import { menuTemplate } from './menu.ts'
import { menuLanguage } from './menu-labels.ts'
import type { Windows } from './windows.ts'

type Appearance = Settings['appearance']

/**
 * Keeps the application menu true to the settings (language, theme) and to the receiver (start or stop). What it does happens in the
 * window that was used last.
 */
export async function keepMenu(host: Host, windows: Windows, warn: (message: string) => void): Promise<void> {
  const { engine } = host
  const ask = (asked: Promise<unknown>) => void asked.catch((error: unknown) => warn(String(error)))
  const [settings, status] = await Promise.all([
    engine.call('settings.get', {}),
    engine.call('status.get', {}),
  ])
  let { appearance } = settings
  let receiver = status.receiver
  let drawn = ''

  const press = (keyCode: string, held: readonly ('control' | 'meta' | 'shift')[] = []): void => {
    const contents = windows.front?.webContents
    const modifiers = [...held]
    contents?.sendInputEvent({ type: 'keyDown', keyCode, modifiers })
    contents?.sendInputEvent({ type: 'keyUp', keyCode, modifiers })
  }

  function draw(): void {
    const listening = receiver.state === 'listening'
    const language = menuLanguage(appearance.language, app.getLocale())
    const wanted = JSON.stringify([appearance, listening])
    if (wanted === drawn) return
    drawn = wanted
    const actions = {
      goTo: (place: string) => windows.show(`#/${place}`),
      press,
      both: (role: 'undo' | 'copy' | 'selectAll', key: string) => {
        windows.front?.webContents[role]()
        press(key, ['control'])
      },
      newWindow: () => windows.again(),
      setTheme: (theme: Appearance['theme']) =>
        ask(engine.call('settings.update', { appearance: { theme } })),
      setLanguage: (chosen: Appearance['language']) =>
        ask(engine.call('settings.update', { appearance: { language: chosen } })),
      startReceiver: () => ask(engine.call('receiver.start', {})),
      stopReceiver: () => ask(engine.call('receiver.stop', {})),
      copyAddress: () => {
        if (receiver.state === 'listening') clipboard.writeText(receiver.url)
      },
      showDataFolder: () => ask(shell.openPath(host.dataDir)),
    }
    Menu.setApplicationMenu(
      Menu.buildFromTemplate(
        menuTemplate({ language, platform: process.platform, listening, appearance }, actions),
      ),
    )
  }

  engine.subscribe((push, payload) => {
    // The pair is one by the listener's type; a switch over the name alone does not narrow the payload.
    if (push === 'settings.changed') appearance = (payload as Settings).appearance
    else if (push === 'status.changed') receiver = (payload as HostStatus).receiver
    else return
    draw()
  })
  draw()
}
