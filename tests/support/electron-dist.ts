import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const STAND_IN = join(import.meta.dirname, 'electron-stand-in/electron')
/** Mark, version and number of the fuses, as every binary of Electron has them, and their state as it is delivered. */
const FUSES = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\x01\x09101100010', 'latin1')

function write(file: string, content: string | Buffer, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  chmodSync(file, mode)
}

/** Makes an unpacked Electron for Linux whose binary is the stand-in, with the fuses of a real one. */
export function linuxElectron(folder: string, version: string): void {
  const run = `#!/bin/sh\nSTAND_IN_ARCHIVE="$(dirname "$(readlink -f "$0")")/resources/app.asar" exec "${STAND_IN}" "$@"\n`
  write(join(folder, 'electron'), Buffer.concat([Buffer.from(run), FUSES]), 0o755)
  write(join(folder, 'chrome-sandbox'), '', 0o755)
  write(join(folder, 'version'), version)
  for (const language of ['en-US', 'es', 'fr']) write(join(folder, `locales/${language}.pak`), language)
  mkdirSync(join(folder, 'resources'))
}

/** Makes an Electron.app that cannot run: its bundles have what the builder reads and changes. */
export function macElectron(folder: string): void {
  const contents = join(folder, 'Electron.app/Contents')
  const bundle = (at: string, name: string) => {
    const entry = `<key>CFBundleExecutable</key><string>${name}</string>`
    write(join(at, 'Info.plist'), `<?xml version="1.0"?><plist version="1.0"><dict>${entry}</dict></plist>`)
    write(join(at, 'MacOS', name), '', 0o755)
  }
  bundle(contents, 'Electron')
  mkdirSync(join(contents, 'Resources/en.lproj'), { recursive: true })
  for (const kind of ['', ' (GPU)', ' (Plugin)', ' (Renderer)'])
    bundle(join(contents, `Frameworks/Electron Helper${kind}.app/Contents`), `Electron Helper${kind}`)
  const framework = join(contents, 'Frameworks/Electron Framework.framework')
  write(join(framework, 'Electron Framework'), FUSES)
  for (const at of ['', 'Versions/A/']) write(join(framework, `${at}Resources/en.lproj/locale.pak`), '')
}

/** Makes the folder of tools that the builder downloads for an AppImage: Debian's, and a runtime that cannot run. */
export function appImageTools(folder: string): void {
  const host = process.arch === 'arm64' ? 'linux-arm64' : 'linux-x64'
  mkdirSync(join(folder, host), { recursive: true })
  for (const tool of ['mksquashfs', 'desktop-file-validate'])
    symlinkSync(`/usr/bin/${tool}`, join(folder, host, tool))
  for (const arch of ['x64', 'arm64']) write(join(folder, `runtime-${arch}`), RUNTIME)
  mkdirSync(join(folder, 'lib/x64'), { recursive: true })
}
export const RUNTIME = 'no runtime\n'
