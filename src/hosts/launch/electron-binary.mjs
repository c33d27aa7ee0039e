import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pinnedNode, run } from './project.mjs'

const FAILURE = 'node_modules/.cache/acuse/electron-download.json'

/** @returns the path of Electron's executable; undefined before the download. It does not import the package, since that would download. */
export function electronBinary(root) {
  const folder = join(root, 'node_modules/electron')
  try {
    const name = readFileSync(join(folder, 'path.txt'), 'utf8')
    const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH
    const binary = join(dist || join(folder, 'dist'), name)
    return existsSync(binary) && (dist || distVersion(folder) === electronVersion(root)) ? binary : undefined
  } catch {
    const override = process.env.ELECTRON_OVERRIDE_DIST_PATH
    const binary = override && join(override, 'electron')
    return binary && existsSync(binary) ? binary : undefined
  }
}

/**
 * Downloads Electron's executable. After a failure it retries only the next day.
 * @param {{ evenIfFailedToday: boolean, now?: Date }} options
 * @returns {Promise<{ binary: string } | { reason: string }>} reason: a part of a sentence
 */
export async function fetchElectron(root, { evenIfFailedToday, now = new Date() }) {
  const version = electronVersion(root)
  const failed = evenIfFailedToday ? undefined : failureOn(root, version, now)
  if (failed) return { reason: `${failed} today already; it is tried again tomorrow` }
  const script = join(import.meta.dirname, 'download-electron.mjs')
  // Without this variable Node ignores HTTPS_PROXY and similar ones.
  const env = { ...process.env, NODE_USE_ENV_PROXY: process.env.NODE_USE_ENV_PROXY ?? '1' }
  const { code } = await run(pinnedNode(root), [script, root, reportFile(root)], { cwd: root, env })
  const binary = electronBinary(root)
  if (code === 0 && binary) return { binary }
  const reason = readReason(root) ?? `the download ended with ${code}`
  // A download that the user interrupted is not a failure.
  if (code !== 130) remember(root, { version, day: dayOf(now), reason })
  return { reason }
}

/** Local calendar day: after a failure in the evening the next morning retries. */
const dayOf = (date) => date.toLocaleDateString('sv-SE')
const reportFile = (root) => join(root, `${FAILURE}.reason`)

function failureOn(root, version, now) {
  try {
    const failure = JSON.parse(readFileSync(join(root, FAILURE), 'utf8'))
    return failure.version === version && failure.day === dayOf(now) ? failure.reason : undefined
  } catch {
    return undefined
  }
}

function remember(root, failure) {
  mkdirSync(dirname(join(root, FAILURE)), { recursive: true })
  writeFileSync(join(root, FAILURE), JSON.stringify(failure))
}

function readReason(root) {
  try {
    const reason = readFileSync(reportFile(root), 'utf8')
    rmSync(reportFile(root))
    return reason
  } catch {
    return undefined
  }
}

const electronVersion = (root) =>
  JSON.parse(readFileSync(join(root, 'node_modules/electron/package.json'), 'utf8')).version
const distVersion = (folder) => readFileSync(join(folder, 'dist/version'), 'utf8').trim().replace(/^v/, '')
