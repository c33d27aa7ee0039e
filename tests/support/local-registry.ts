import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import { afterAll } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

interface Manifest {
  readonly name: string
  readonly version: string
}

/**
 * Starts an npm registry on loopback for all tests of a file: it has a packed Acuse, and the packages on which that depends, as they are
 * in node_modules. So npm installs what a user would get, without a network.
 */
export async function localRegistry(tarball: Buffer): Promise<string> {
  const folders = productionFolders()
  const all = [
    { bytes: tarball, manifest: manifestOf('.') },
    ...(await Promise.all(
      folders.map(async (folder) => ({ bytes: await pack(folder), manifest: manifestOf(folder) })),
    )),
  ]
  const server = createServer((request, response) => {
    const [name = '', version] = decodeURIComponent(request.url ?? '')
      .slice(1)
      .split('/-/')
    const ofName = all.filter((one) => one.manifest.name === name)
    const asked = ofName.find((one) => one.manifest.version === version)
    if (asked) return void response.end(asked.bytes)
    if (ofName.length === 0) return void response.writeHead(404).end()
    const versions = ofName.map(({ bytes, manifest }) => {
      const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
      const dist = { tarball: `${url}${name}/-/${manifest.version}`, integrity }
      return [manifest.version, { ...manifest, dist }] as const
    })
    const latest = versions[0]?.[0]
    response.end(JSON.stringify({ name, 'dist-tags': { latest }, versions: Object.fromEntries(versions) }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  afterAll(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return url
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))

/** Folders of the packages that an installation of Acuse brings along. */
function productionFolders(): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  return Object.entries<{ dev?: boolean }>(packages).flatMap(([path, { dev }]) =>
    path && !dev ? [path] : [],
  )
}

async function pack(folder: string): Promise<Buffer> {
  const files = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.slice(join(ROOT, folder).length).includes('node_modules'))
  const entries = files.map((path) => {
    const body = readFileSync(path)
    const name = join('package', path.slice(join(ROOT, folder).length))
    return { header: { name, size: body.length }, body }
  })
  return gzipSync(await packTar(entries), { level: 1 })
}
