import { execFile } from 'node:child_process'
import { cpSync, createReadStream, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGunzip } from 'node:zlib'
import { createPackageFromFiles } from '@electron/asar'
import { unpackTar } from 'modern-tar/fs'
import { manifestOf, type Problems } from './checks.ts'

/** Not part of the sources. */
const LEFT_OUT = ['.git', 'bench-results', 'node_modules', 'out', 'release', 'test-results']

export interface Built {
  /** The file that `npm publish` takes. */
  readonly tarball: string
  /** The same files as an Electron app. */
  readonly archive: string
  /** The folder with these files. */
  readonly unpacked: string
}

/**
 * Copies the sources, builds the copy, and packs it as for npm and for Electron.
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
  const unpacked = join(folder, 'unpacked')
  const [tarball, archive] = [join(folder, `${name}-${version}.tgz`), join(folder, 'app.asar')]
  mkdirSync(unpacked)
  await pipeline(createReadStream(tarball), createGunzip(), unpackTar(unpacked, { strip: 1 }))
  await createPackageFromFiles(
    unpacked,
    archive,
    filesOf(unpacked).map((file) => join(unpacked, file)),
  )
  return { tarball, archive, unpacked }
}

/** @returns a sentence for each kind of package that two builds of the same sources made differently */
export function buildProblems(first: Built, second: Built): Problems {
  const equal = (a: string, b: string) => readFileSync(a).equals(readFileSync(b))
  const kinds = { 'npm package': 'tarball', 'ASAR archive': 'archive' } as const
  const different = Object.entries(kinds).filter(([, kind]) => !equal(first[kind], second[kind]))
  const names = [...new Set([...filesOf(first.unpacked), ...filesOf(second.unpacked)])].filter((file) => {
    try {
      return !equal(join(first.unpacked, file), join(second.unpacked, file))
    } catch {
      return true
    }
  })
  return different.map(
    ([kind]) =>
      `Two builds of the same sources gave two ${kind}s, which differ in ${names.join(', ') || 'order or times only'}. Find what depends on time, chance or the folder's name in electron.vite.config.ts and the scripts of package.json.`,
  )
}

const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
