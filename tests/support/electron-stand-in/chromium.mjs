import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Cdp } from './cdp.mjs'

const ARGUMENTS = [
  '--headless=new',
  '--remote-debugging-port=0',
  '--no-first-run',
  '--no-startup-window',
  '--no-default-browser-check',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--password-store=basic',
  '--force-color-profile=srgb',
]

/**
 * Starts a headless Chromium with a profile of its own. Both are removed when this process ends.
 * @returns {Promise<Cdp>} the connection to Chromium
 */
export async function startChromium() {
  const profile = mkdtempSync(join(tmpdir(), 'acuse-stand-in-'))
  const unsandboxed = process.env.STAND_IN_NO_SANDBOX || process.getuid?.() === 0
  const child = spawn(
    process.env.CHROMIUM || 'chromium',
    [...ARGUMENTS, ...(unsandboxed ? ['--no-sandbox'] : []), `--user-data-dir=${profile}`],
    // A process group of its own: killing it also ends Chromium's helpers, which would still write into the profile during its removal.
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  )
  process.on('exit', () => {
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // Chromium has ended already.
    }
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  })
  child.on('error', (error) => {
    process.stderr.write(`The stand-in found no Chromium (set CHROMIUM): ${error.message}\n`)
    process.exit(1)
  })
  const { promise, resolve } = Promise.withResolvers()
  createInterface({ input: child.stderr }).on('line', (line) => {
    const found = /^DevTools listening on (ws:.*)$/.exec(line)
    if (found) resolve({ line, url: found[1] })
  })
  const { line, url } = await promise
  const cdp = new Cdp(url)
  await cdp.ready
  // Playwright waits for exactly this line.
  process.stderr.write(`${line}\n`)
  return cdp
}
