import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { createPackageFromFiles, getRawHeader } from '@electron/asar'

/** Packs files of a folder into an ASAR archive, in the given order. Equal files give equal archives. */
export const packArchive = (folder, files, archive) =>
  createPackageFromFiles(
    folder,
    archive,
    files.map((file) => join(folder, file)),
  )

export { extractAll as unpackArchive } from '@electron/asar'

const digest = (bytes) => createHash('sha256').update(bytes).digest('hex')

/**
 * Compares every block of every file with the hashes in the archive's header, as Electron does when it reads them.
 * @param expected the header's hash that Electron gets from the app's binary or Info.plist; default: the header is not checked
 * @returns {{ hash: string, files: string[] }} the header's hash, and the files @throws for the first difference
 */
export function verifyArchive(archive, expected) {
  const { header, headerString, headerSize } = getRawHeader(archive)
  const hash = digest(headerString)
  if (expected !== undefined && hash !== expected) throw new Error(`The header of ${archive} is altered.`)
  const files = []
  const descriptor = openSync(archive, 'r')
  const check = (path, { files: members, size, offset, integrity }) => {
    if (members)
      for (const [name, member] of Object.entries(members)) check(path ? `${path}/${name}` : name, member)
    if (size === undefined) return
    files.push(path)
    const bytes = Buffer.alloc(size)
    // Files begin after the two lengths and the header.
    readSync(descriptor, bytes, 0, size, 8 + headerSize + Number(offset))
    const { blockSize, blocks } = integrity
    const sound = blocks.every(
      (block, at) => digest(bytes.subarray(at * blockSize, (at + 1) * blockSize)) === block,
    )
    if (!sound || digest(bytes) !== integrity.hash) throw new Error(`${path} in ${archive} is altered.`)
  }
  try {
    check('', header)
  } finally {
    closeSync(descriptor)
  }
  return { hash, files }
}
