// A separate process under the pinned Node: node download-electron.mjs <project folder> <file for the reason of a failure>
// Electron's own installer waits for ever on a dead connection, so this script downloads with time-outs. The installer then finds the
// archive in the cache, verifies it and unpacks it.
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { run, say } from './project.mjs'

/** A failure with a message for the user. */
class Unreachable extends Error {}

const seconds = (name, standard) => Number(process.env[name]) || standard
const FIRST_BYTE_S = seconds('ACUSE_ELECTRON_FIRST_BYTE_SECONDS', 10)
const SILENCE_S = seconds('ACUSE_ELECTRON_SILENCE_SECONDS', 30)

const [root, reasonFile] = process.argv.slice(2)
const folder = join(root, 'node_modules/electron')
const ofElectron = createRequire(join(folder, 'install.js'))

try {
  await download()
  const { code, output } = await run(process.execPath, [join(folder, 'install.js')], {
    cwd: root,
    quiet: true,
  })
  if (code !== 0) throw new Unreachable(`it could not be unpacked (${lastLine(output)})`)
} catch (error) {
  mkdirSync(dirname(reasonFile), { recursive: true })
  writeFileSync(
    reasonFile,
    error instanceof Unreachable ? error.message : `the download failed (${causeOf(error)})`,
  )
  process.exitCode = 1
}

/** Downloads the archive into the cache of Electron's installer; both find the same path from the same settings. */
async function download() {
  const { downloadArtifact } = ofElectron('@electron/get')
  const { npm_config_platform, npm_config_arch, ELECTRON_INSTALL_PLATFORM, ELECTRON_INSTALL_ARCH } =
    process.env
  const remoteSums =
    process.env.electron_use_remote_checksums || process.env.npm_config_electron_use_remote_checksums
  await downloadArtifact({
    version: ofElectron(join(folder, 'package.json')).version,
    artifactName: 'electron',
    cacheRoot: process.env.electron_config_cache,
    checksums: remoteSums ? undefined : ofElectron(join(folder, 'checksums.json')),
    platform: ELECTRON_INSTALL_PLATFORM || npm_config_platform || process.platform,
    arch: ELECTRON_INSTALL_ARCH || npm_config_arch || process.arch,
    downloader: { download: fetchWithin },
  })
}

/** Downloads with time-outs. @throws Unreachable when the first byte is late or the download stalls */
async function fetchWithin(url, target) {
  const stop = new AbortController()
  let timer
  const allow = (limit, words) => {
    clearTimeout(timer)
    timer = setTimeout(() => stop.abort(new Unreachable(words)), limit * 1_000)
  }
  allow(FIRST_BYTE_S, `no answer within ${FIRST_BYTE_S} seconds`)
  try {
    const response = await fetch(url, { signal: stop.signal })
    if (!response.ok || !response.body) throw new Unreachable(`the server answered ${response.status}`)
    const progress = showProgress(basename(url), Number(response.headers.get('content-length')))
    await pipeline(
      Readable.fromWeb(response.body),
      async function* (source) {
        for await (const piece of source) {
          allow(SILENCE_S, `the download stopped for ${SILENCE_S} seconds`)
          progress(piece.length)
          yield piece
        }
      },
      createWriteStream(target),
      { signal: stop.signal },
    )
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error
  } finally {
    clearTimeout(timer)
  }
}

/** Prints progress: on a terminal one line that is redrawn, elsewhere a line per 10 %. */
function showProgress(name, total) {
  const terminal = process.stderr.isTTY
  let got = 0
  let shown = -1
  if (!terminal) say(`Downloading ${name} …`)
  return (bytes) => {
    got += bytes
    const percent = total > 0 ? Math.floor((100 * got) / total) : 0
    const step = terminal ? percent : percent - (percent % 10)
    if (step === shown && total > 0) return
    shown = step
    const size = `${(got / 1e6).toFixed(1)}${total > 0 ? ` of ${(total / 1e6).toFixed(1)}` : ''} MB`
    if (terminal)
      process.stderr.write(
        `\rDownloading ${name}: ${total > 0 ? `${percent} %, ` : ''}${size}   ${percent === 100 ? '\n' : ''}`,
      )
    else if (total > 0) say(`  ${step} %`)
  }
}

// Function declarations, since the top-level await runs before constants below it are initialised.
function lastLine(text) {
  return text.trim().split('\n').at(-1) ?? ''
}
function causeOf(error) {
  return error?.cause?.message || error?.message || String(error)
}
