/** Twice what a body may have to be checked. */
const MOST_BYTES = 512 * 1024 * 1024

/**
 * All that a file or a pipe gives, unless that is more than anybody means: devices and other programs may never end.
 * @throws an error with the code that the file system has for files that are too large
 */
export async function readBounded(parts: AsyncIterable<Uint8Array>, most = MOST_BYTES): Promise<Buffer> {
  const kept: Uint8Array[] = []
  let size = 0
  for await (const part of parts) {
    size += part.length
    if (size > most)
      throw Object.assign(new Error(`more than ${most} bytes`), { code: 'ERR_FS_FILE_TOO_LARGE' })
    kept.push(part)
  }
  return Buffer.concat(kept)
}
