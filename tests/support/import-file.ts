import { opened } from '#interop/imports/read.ts'
import type { Found, ImportFile } from '#interop/imports/record.ts'

/** A file of these bytes, which arrives in pieces of `size`. */
export function fileOf(bytes: Uint8Array, name = 'file', size = 64 * 1_024): ImportFile {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  return { name, at: 1_000_000_000_000_000, endpoint: 'default', pieces }
}

export async function foundIn(file: ImportFile, most?: number): Promise<readonly Found[]> {
  const { found } = await opened(file, most)
  // Those are read by path.
  if (!found) throw new Error(`${file.name} is a database`)
  const all: Found[] = []
  for await (const one of found) all.push(one)
  return all
}
