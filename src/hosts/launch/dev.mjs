// npm run dev: the desktop app with hot reload, or the browser host where Electron is not to be had
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { electronBinary } from './electron-binary.mjs'
import { foreground } from './foreground.mjs'
import { carryOut, prepare } from './prepare.mjs'
import { pinnedNode, ROOT, run, say } from './project.mjs'

const VITE = join(ROOT, 'node_modules/electron-vite/bin/electron-vite.js')
/** Editors write a file in several steps; one rebuild serves them all. */
const SETTLE_MS = 200

await carryOut(async () => {
  await prepare(ROOT)
  const args = process.argv.slice(2)
  if (electronBinary(ROOT)) return (await foreground(pinnedNode(ROOT), [VITE, 'dev', ...args])).code
  say('Electron is not installed: the window opens in the browser.')
  say('Open the link below with port 5173 in the place of 4401 for the window with hot reload.')
  serveAnewOnChange(args)
  return (await foreground(pinnedNode(ROOT), [join(import.meta.dirname, 'dev-window.mjs')], { cwd: ROOT }))
    .code
})

/** Runs the host, and builds and starts it again whenever its sources change. A failed build leaves the running one alone. */
function serveAnewOnChange(args) {
  let host = serve(args)
  let due
  let busy = false
  const rebuild = async () => {
    if (busy) return
    busy = true
    const { code } = await run(pinnedNode(ROOT), [VITE, 'build'], { cwd: ROOT })
    busy = false
    if (code !== 0) return
    host.once('exit', () => {
      host = serve(args)
    })
    host.kill('SIGTERM')
  }
  watch(join(ROOT, 'src'), { recursive: true }, () => {
    clearTimeout(due)
    due = setTimeout(() => void rebuild(), SETTLE_MS)
  })
  process.on('exit', () => host.kill('SIGTERM'))
}

function serve(args) {
  return spawn(pinnedNode(ROOT), [join(ROOT, 'out/main/cli.js'), 'serve', '--ui-port', '4401', ...args], {
    cwd: ROOT,
    stdio: 'inherit',
  })
}
