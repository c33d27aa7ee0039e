import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The built window: out/renderer of the project that this file, built or not, belongs to. */
export function rendererDir(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder)
  return join(folder, 'out', 'renderer')
}
