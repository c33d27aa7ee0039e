import { formatOf, READERS } from '#interop/imports/read.ts'
import type { Found, ImportFile } from '#interop/imports/record.ts'

/** A file of these bytes, which arrives in pieces of `size`. */
export function fileOf(bytes: Uint8Array, name = 'file', size = 64 * 1_024): ImportFile {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  return { name, at: 1_000_000_000_000_000, endpoint: 'default', pieces }
}

export async function foundIn(file: ImportFile): Promise<readonly Found[]> {
  const format = await formatOf(file)
  // Those are read by path.
  if (format === 'session') throw new Error(`${file.name} is a database`)
  const found: Found[] = []
  for await (const one of READERS[format](file)) found.push(one)
  return found
}
