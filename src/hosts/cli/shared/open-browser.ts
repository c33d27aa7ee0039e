import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Life of the redirect page: longer than a browser takes to start. */
const PAGE_LIFE_MS = 120_000

/** Opens a start link in the user's browser; without a display it says why not. */
export function openInBrowser(link: string, say: (sentence: string) => void): void {
  const [command, ...args] = opener()
  if (command === undefined) {
    say('There is no display to open a browser on; open the link yourself.')
    return
  }
  const failed = () => say('No browser could be opened; open the link yourself.')
  try {
    const child = spawn(command, [...args, pageLeadingTo(link)], { stdio: 'ignore', detached: true })
    child.on('error', failed)
    child.unref()
  } catch {
    failed()
  }
}

/**
 * Writes a page that only this user can read and that redirects to the link. Every user of the machine can read a process's arguments,
 * so the link itself must not be one. The page is in the home folder and not hidden: browsers in a snap read nothing else.
 * @returns the page's path; a timer or the end of the process deletes it
 */
function pageLeadingTo(link: string): string {
  const path = join(homedir(), `acuse-window-${randomUUID()}.html`)
  const page = `<!doctype html><meta charset="utf-8"><title>Acuse</title><meta http-equiv="refresh" content="0;url=${link}"><a href="${link}">Acuse</a>\n`
  writeFileSync(path, page, { flag: 'wx', mode: 0o600 })
  const remove = () => rmSync(path, { force: true })
  setTimeout(remove, PAGE_LIFE_MS).unref()
  process.once('exit', remove)
  return path
}

function opener(): readonly string[] {
  if (process.platform === 'darwin') return ['open']
  // Not "start", a command of cmd: cmd would interpret characters of the path.
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? ['xdg-open'] : []
}
