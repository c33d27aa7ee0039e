import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const { STAND_IN_ARCHIVE: archive } = process.env
const folder = archive ? (await import('./archive.mjs')).unpack(archive) : resolve(process.argv[2] ?? '.')
if (archive) process.resourcesPath = dirname(archive)
const project = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
// Electron's process.argv is [executable, app folder unless packaged, ...arguments], so remove the boot script.
process.argv.splice(1, 1)

const { start, entryEvaluated } = await import('./app.mjs')
start(folder, project)
await import(pathToFileURL(join(folder, project.main)).href)
// Electron emits 'ready' only now, so a top-level await for it in the entry would never end.
entryEvaluated()
