import { execFile } from 'node:child_process'
import {
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGunzip } from 'node:zlib'
import { createPackageFromFiles } from '@electron/asar'
import { unpackTar } from 'modern-tar/fs'
import { stageApp } from '../../packaging/stage.mjs'
import { manifestOf, type Problems } from './checks.ts'

/** Not part of the sources. */
const LEFT_OUT = ['.git', 'bench-results', 'dist', 'node_modules', 'out', 'packaging/node_modules', 'release']

/** A file to publish, and the folder with its content. */
interface Packed {
  readonly file: string
  readonly content: string
}
export interface Built {
  readonly 'npm package': Packed
  readonly 'ASAR archive': Packed
}

/**
 * Copies the sources, builds the copy, and packs it for npm and for the desktop app.
 * @param folder where; it must not exist @throws Error with the tools' words
 */
export async function buildCopy(root: string, folder: string): Promise<Built> {
  const sources = join(folder, 'sources')
  const filter = (path: string) => !LEFT_OUT.includes(relative(root, path))
  cpSync(root, sources, { recursive: true, filter })
  symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'))
  await promisify(execFile)('npm', ['pack', '--pack-destination', folder], {
    ...{ cwd: sources, maxBuffer: 64 * 1024 * 1024, shell: process.platform === 'win32' },
  })
  const { name, version } = manifestOf(root)
  const npm = { file: join(folder, `${name}-${version}.tgz`), content: join(folder, 'package') }
  mkdirSync(npm.content)
  await pipeline(createReadStream(npm.file), createGunzip(), unpackTar(npm.content, { strip: 1 }))
  const app = { file: join(folder, 'app.asar'), content: join(folder, 'app') }
  const staged = stageApp(sources, app.content).map((file) => join(app.content, file))
  await createPackageFromFiles(app.content, app.file, staged)
  return { 'npm package': npm, 'ASAR archive': app }
}

/** @returns a sentence for each kind of package that two builds of the same sources made differently */
export function buildProblems(first: Built, second: Built): Problems {
  return (['npm package', 'ASAR archive'] as const).flatMap((kind) => {
    const [a, b] = [first[kind], second[kind]]
    if (equal(a.file, b.file)) return []
    const names = [...new Set([...filesOf(a.content), ...filesOf(b.content)])]
    const different = names.filter((name) => !equal(join(a.content, name), join(b.content, name)))
    return [
      `Two builds of the same sources gave two ${kind}s, which differ in ${different.join(', ') || 'order or times only'}. Find what depends on time, chance or the folder's name in electron.vite.config.ts and the scripts of package.json.`,
    ]
  })
}

const equal = (a: string, b: string): boolean =>
  existsSync(a) && existsSync(b) && readFileSync(a).equals(readFileSync(b))

const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
