import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { alone } from '../../src/hosts/launch/alone.mjs'
import { ROOT, run, say } from '../../src/hosts/launch/project.mjs'

/** In order of preference: the headless shell takes a fifth less time for the same tests. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * Finds a Chromium for the tests, and installs one when there is none: Debian's package for root, else Playwright's own.
 * @param {string} node the pinned Node
 * @returns {Promise<string | undefined>} its path
 */
export async function findChromium(root, node) {
  const installed = installedChromium() ?? (await playwrights(root, node))
  if (installed) return installed
  if ((await installFromDebian('chromium-headless-shell')) || (await installFromDebian('chromium'))) {
    const debians = inPath()
    if (debians) return debians
  }
  say('Installing Chromium (playwright install chromium) …')
  await run(node, [join(root, 'node_modules/@playwright/test/cli.js'), 'install', 'chromium'], { cwd: root })
  return playwrights(root, node)
}

/**
 * Installs packages where this process may, as in a container; one process at a time, since a second apt-get would find the
 * package database locked and fail. @returns whether they are installed now
 */
export async function installFromDebian(...names) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    return false
  say(`Installing from Debian (apt-get install ${names.join(' ')}) …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const aptGet = async (...args) => (await run('apt-get', args, { env, quiet: true })).code === 0
  const install = () => aptGet('install', '-y', '--no-install-recommends', ...names)
  // A fresh container has no package lists yet.
  return alone(ROOT, async () => (await install()) || ((await aptGet('update')) && (await install())))
}

/** @returns the path in CHROMIUM, else a Chromium of this machine; undefined when there is none */
export function installedChromium() {
  return process.env.CHROMIUM || (inPath() ?? ELSEWHERE.find((path) => existsSync(path)))
}

function inPath() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isProgram)
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function playwrights(root, node) {
  const ask = "process.stdout.write(require('playwright-core').chromium.executablePath())"
  const { code, output } = await run(node, ['-e', ask], { cwd: root, quiet: true })
  return code === 0 && existsSync(output) ? output : undefined
}
