import { spawn } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { outcomeOf } from './host.ts'
import { tempFolder } from './temp-folder.ts'

const ROOT = join(import.meta.dirname, '../..')
const MODULES = join(ROOT, 'node_modules')

export type LaunchProject = ReturnType<typeof launchProject>

export const RESULTS = [
  'main/index.js',
  'main/library.js',
  'preload/index.cjs',
  'renderer/index.html',
  'renderer/electron.html',
]

const BUNDLER = `
const { appendFileSync, existsSync, mkdirSync, writeFileSync } = require('node:fs')
appendFileSync('log', 'build\\n')
if (existsSync('src/broken.ts')) { console.log('broken.ts: unexpected token'); process.exit(1) }
for (const file of ${JSON.stringify(RESULTS)}) {
  mkdirSync('out/' + file.split('/')[0], { recursive: true })
  writeFileSync('out/' + file, '')
}
writeFileSync('out/main/cli.js', \`
  const waits = process.argv.includes('wait')
  // Before the output, since the test sends its signal when it reads that.
  if (waits) process.on('SIGTERM', () => process.exit(5))
  console.log(JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd(), node: process.versions.node }))
  if (waits) setInterval(() => {}, 1000)
  else process.exit(process.argv.includes('seven') ? 7 : 0)\`)
`
const NPM = `#!/bin/sh
echo "npm $*" >> log
test -e npm-fails && { echo "npm error: no network" >&2; exit 1; }
rm -rf node_modules
cp -R ../stock node_modules
`
const lock = (version: string) =>
  JSON.stringify({
    packages: {
      '': { name: 'fake' },
      'node_modules/thing': { version, integrity: `sha-${version}` },
      'node_modules/other-platform': { version: '1.0.0', integrity: 'x', optional: true },
    },
  })
const installed = (version: string) =>
  JSON.stringify({ packages: { 'node_modules/thing': { version, integrity: `sha-${version}` } } })

/**
 * Makes a small project with our launch scripts; its npm, bundler, command line and Electron only record their arguments. Like
 * a fresh clone, it has nothing installed or built.
 */
export function launchProject() {
  const home = tempFolder()
  const root = join(home, 'clone')
  const stock = join(home, 'stock')
  const put = (path: string, content: string, mode = 0o644) => {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, content)
    chmodSync(path, mode)
  }
  cpSync(join(ROOT, 'src/hosts/launch'), join(root, 'src/hosts/launch'), { recursive: true })
  put(join(root, 'package.json'), '{ "name": "fake", "type": "module" }')
  put(join(root, 'package-lock.json'), lock('1.0.0'))
  put(join(home, 'bin/npm'), NPM, 0o755)
  put(join(stock, '.package-lock.json'), installed('1.0.0'))
  put(join(stock, 'electron-vite/package.json'), '{}')
  put(join(stock, 'electron-vite/bin/electron-vite.js'), BUNDLER)
  mkdirSync(join(stock, 'node/bin'), { recursive: true })
  symlinkSync(process.execPath, join(stock, 'node/bin/node'))
  cpSync(join(MODULES, 'electron/package.json'), join(stock, 'electron/package.json'))
  cpSync(join(MODULES, 'electron/install.js'), join(stock, 'electron/install.js'))
  for (const scope of ['@electron', '@electron-internal'])
    symlinkSync(join(MODULES, scope), join(stock, scope))

  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  return {
    root,
    /** Files that npm ci puts into node_modules; change them before a run. */
    stock,
    read,
    write: (path: string, content: string, mode?: number) => put(join(root, path), content, mode),
    /** @returns the recorded calls of npm and the bundler */
    log(): string[] {
      try {
        return read('log').trim().split('\n')
      } catch {
        return []
      }
    },
    run(script: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
      const child = spawn(process.execPath, [join(root, 'src/hosts/launch', script), ...args], {
        cwd: root,
        env: { PATH: `${join(home, 'bin')}:/usr/bin:/bin`, HOME: home, NO_PROXY: '127.0.0.1', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      // A waiting program prints its arguments once it handles the signal.
      child.stdout.on('data', (bytes: Buffer) => bytes.includes('"wait"') && child.kill('SIGTERM'))
      return outcomeOf(child)
    },
  }
}

/** Makes package.json require another version, which npm ci would install. */
export function wantVersion(project: LaunchProject, version: string): void {
  project.write('package-lock.json', lock(version))
  writeFileSync(join(project.stock, '.package-lock.json'), installed(version))
}
