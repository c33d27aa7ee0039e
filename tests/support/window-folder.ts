import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that looks like a built window. The caller removes it. */
export function windowFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'acuse-window-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Acuse</title><div>the window</div>')
  writeFileSync(join(folder, 'electron.html'), '<!doctype html><title>Electron</title>')
  writeFileSync(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  writeFileSync(join(folder, 'assets', 'index-Ab12Cd34.js'), 'export {}')
  writeFileSync(join(folder, 'assets', 'index-Ab12Cd34.js.map'), '{}')
  return folder
}
