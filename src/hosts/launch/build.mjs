import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pinnedNode, Refusal, run, say } from './project.mjs'

const SOURCES = [
  'src',
  'renderer',
  'resources',
  'package.json',
  'package-lock.json',
  'electron.vite.config.ts',
  'tsconfig.json',
]
const RESULTS = [
  'out/main/index.js',
  'out/main/cli.js',
  'out/main/library.js',
  'out/preload/index.cjs',
  'out/renderer/index.html',
  'out/renderer/electron.html',
]
const STAMP = 'out/.built-from'

/**
 * Builds unless `out` matches the sources.
 * @throws Refusal with the bundler's output when the build fails
 */
export async function ensureBuilt(root) {
  const print = fingerprint(root)
  if (isBuilt(root, print)) return
  say('Building …')
  const bundler = join(root, 'node_modules/electron-vite/bin/electron-vite.js')
  const { code, output } = await run(pinnedNode(root) ?? process.execPath, [bundler, 'build'], {
    cwd: root,
    quiet: true,
  })
  if (code !== 0) throw new Refusal(`${output}\nBuilding failed (electron-vite ended with ${code}).`)
  mkdirSync(join(root, 'out'), { recursive: true })
  writeFileSync(join(root, STAMP), print)
}

/** Whether `out` matches the sources. */
export function isBuilt(root, print = fingerprint(root)) {
  if (!RESULTS.every((file) => existsSync(join(root, file)))) return false
  try {
    return readFileSync(join(root, STAMP), 'utf8') === print
  } catch {
    return false
  }
}

/** Hash of names, sizes and times of all sources. Unlike the newest time alone, it also changes when a file is deleted or restored. */
export function fingerprint(root) {
  const hash = createHash('sha256')
  const add = (path) => {
    const stat = statSync(join(root, path), { throwIfNoEntry: false })
    if (!stat) return
    if (stat.isDirectory()) for (const name of readdirSync(join(root, path)).sort()) add(`${path}/${name}`)
    else hash.update(`${path}\0${stat.size}\0${stat.mtimeMs}\n`)
  }
  for (const source of SOURCES) add(source)
  return hash.digest('hex')
}
