import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unpackArchive, verifyArchive } from '../../../packaging/archive.mjs'

/** Node cannot read inside of an archive, as Electron does: unpacks it, checks it as Electron would, and removes it at the end. */
export function unpack(archive) {
  try {
    verifyArchive(archive)
  } catch (error) {
    process.stderr.write(`FATAL:asar_util.cc Integrity check failed for asar archive (${error.message})\n`)
    process.exit(1)
  }
  const folder = mkdtempSync(join(tmpdir(), 'acuse-stand-in-app-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  unpackArchive(archive, folder)
  return folder
}
