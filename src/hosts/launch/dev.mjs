// npm run dev: the desktop app with hot reload, or the browser host without Electron
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { electronBinary } from './electron-binary.mjs'
import { foreground } from './foreground.mjs'
import { carryOut, prepare } from './prepare.mjs'
import { pinnedNode, ROOT, run, say } from './project.mjs'

const VITE = join(ROOT, 'node_modules/electron-vite/bin/electron-vite.js')
/** Port of the window with hot reload; HOST is that of the host's own window. */
const WINDOW = '5173'
const HOST = '4401'
/** Debounce: editors write a file in several steps. */
const SETTLE_MS = 200

await carryOut(async () => {
  await prepare(ROOT)
  const args = process.argv.slice(2)
  if (electronBinary(ROOT)) return (await foreground(pinnedNode(ROOT), [VITE, 'dev', ...args])).code
  say('Electron is not installed: the window opens in the browser.')
  serveAnewOnChange(args)
  const window = [join(ROOT, 'node_modules/vite/bin/vite.js'), 'renderer', '--port', WINDOW, '--strictPort']
  const { code } = await foreground(pinnedNode(ROOT), window, { cwd: ROOT })
  // Exit here, since the watcher would keep the process alive; the exit handler ends the host.
  process.exit(code)
})

/** Runs the host, and rebuilds and restarts it when its sources change. After a failed build the old host keeps running. */
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

/** Starts the host and changes its printed link to the window with hot reload. @returns the process */
function serve(args) {
  const host = spawn(pinnedNode(ROOT), [join(ROOT, 'out/main/cli.js'), 'serve', '--ui-port', HOST, ...args], {
    cwd: ROOT,
    stdio: ['inherit', 'pipe', 'inherit'],
  })
  createInterface({ input: host.stdout }).on('line', (line) =>
    console.log(line.replace(`127.0.0.1:${HOST}/#`, `127.0.0.1:${WINDOW}/#`)),
  )
  return host
}
