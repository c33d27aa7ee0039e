import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Makes an empty folder look like a built window. */
export function windowFolder(folder: string): string {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Acuse</title><div>the window</div>')
  writeFileSync(join(folder, 'electron.html'), '<!doctype html><title>Electron</title>')
  writeFileSync(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  writeFileSync(join(folder, 'assets', 'index-Ab12Cd34.js'), 'export {}')
  writeFileSync(join(folder, 'assets', 'index-Ab12Cd34.js.map'), '{}')
  return folder
}
