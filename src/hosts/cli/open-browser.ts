import { spawn } from 'node:child_process'

/**
 * Opens an address in the person's browser, where there is a screen; otherwise says why not.
 * @param say receives a sentence for the person
 */
export function openInBrowser(url: string, say: (sentence: string) => void): void {
  const [command, ...args] = opener()
  if (command === undefined) {
    say('There is no display to open a browser on; open the link yourself.')
    return
  }
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => say('No browser could be opened; open the link yourself.'))
  child.unref()
}

function opener(): readonly string[] {
  if (process.platform === 'darwin') return ['open']
  // "start" belongs to cmd, which would interpret characters of the address.
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? ['xdg-open'] : []
}
