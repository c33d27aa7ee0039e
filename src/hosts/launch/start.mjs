// npm start: the desktop app, or the browser host when the app cannot run
import { join } from 'node:path'
import { electronBinary, fetchElectron } from './electron-binary.mjs'
import { foreground } from './foreground.mjs'
import { carryOut, prepare } from './prepare.mjs'
import { LEAN, pinnedNode, Refusal, ROOT, say } from './project.mjs'

const args = process.argv.slice(2)
/** An app that ends later than this had been running; one that cannot run ends earlier. */
const AT_ONCE_MS = 10_000
/** Acuse's exit code for "could not do it": it has printed the reason, and the browser host would fail too. */
const COULD_NOT = 3

await carryOut(async () => {
  const wanted = process.env.ACUSE_HOST || 'auto'
  if (!['auto', 'browser', 'desktop'].includes(wanted))
    throw new Refusal(`ACUSE_HOST may be "desktop" or "browser", not "${wanted}".`)
  await prepare(ROOT)
  if (wanted === 'browser') return browserHost()
  const forced = wanted === 'desktop'

  const obstacle = noDesktop()
  if (obstacle && forced) throw new Refusal(`The desktop app cannot be opened: ${obstacle}.`)
  if (obstacle) return insteadOfDesktop(obstacle)

  const present = electronBinary(ROOT)
  const got = present ? { binary: present } : await fetchElectron(ROOT, { evenIfFailedToday: forced })
  if (got.binary === undefined) {
    const reason = `Electron could not be fetched: ${got.reason}`
    if (forced) throw new Refusal(`The desktop app cannot be opened: ${reason}.`)
    return insteadOfDesktop(reason)
  }

  const began = performance.now()
  const { code, error } = await foreground(got.binary, [ROOT, ...args], { env: desktopEnvironment() })
  const failedAtOnce = error || (code !== 0 && code < 128 && performance.now() - began < AT_ONCE_MS)
  if (!failedAtOnce || (code === COULD_NOT && !error) || forced) return code
  return insteadOfDesktop(error ? error.message : `Electron ended with ${code} at once`)
})

/** @returns why no window can be opened, or undefined */
function noDesktop() {
  if (process.platform !== 'linux') return undefined
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return 'there is no display'
  // Chromium's sandbox refuses root; only the user may switch it off.
  if (process.getuid?.() === 0 && !args.includes('--no-sandbox')) return 'Electron does not run as root'
  return undefined
}

function desktopEnvironment() {
  // Editors based on Electron set this variable, which would make our Electron run as plain Node.
  const { ELECTRON_RUN_AS_NODE, ...env } = process.env
  return { ...LEAN.env, ...env }
}

function insteadOfDesktop(reason) {
  say(`The desktop app cannot be opened (${reason}); opening Acuse in the browser instead.`)
  return browserHost()
}

async function browserHost() {
  const serve = [
    ...LEAN.flags,
    join(ROOT, 'out/main/cli.js'),
    'serve',
    '--open',
    ...args.filter((arg) => arg !== '--no-sandbox'),
  ]
  const { code } = await foreground(pinnedNode(ROOT), serve, { env: { ...LEAN.env, ...process.env } })
  return code
}
