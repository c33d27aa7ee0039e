import { readFileSync } from 'node:fs'
import { cloning } from './clone.mjs'
import { preloadWorld } from './page/preload-world.mjs'

/** Preferences that would switch a protection off; an app that sets one fails. */
const REFUSED = {
  allowRunningInsecureContent: true,
  contextIsolation: false,
  experimentalFeatures: true,
  nodeIntegration: true,
  nodeIntegrationInSubFrames: true,
  nodeIntegrationInWorker: true,
  sandbox: false,
  webSecurity: false,
  webviewTag: true,
}

/** @throws when the window would be less protected than Electron's defaults */
export function checkPreferences(preferences) {
  for (const [name, value] of Object.entries(REFUSED))
    if (preferences[name] === value) throw new Error(`the stand-in refuses webPreferences.${name}: ${value}`)
  if (preferences.enableBlinkFeatures)
    throw new Error('the stand-in refuses webPreferences.enableBlinkFeatures')
  if (preferences.preload?.endsWith('.mjs')) throw new Error('a sandboxed preload script must be CommonJS')
}

/** @returns the source to inject for a preload script */
export function preloadSource(file) {
  const script = readFileSync(file, 'utf8')
  return `(${preloadWorld})((${cloning})(), function (require, module, exports, process) {${script}\n})`
}
