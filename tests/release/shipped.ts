import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { markdownTable } from '#interop/schema/write.ts'

/** How a package reaches users: npm installs it with Acuse, the window's files hold parts of it, or a desktop package has it. */
type Place = 'engine' | 'window' | 'desktop'

export interface Shipped {
  readonly name: string
  readonly version: string
  /** SPDX identifier. */
  readonly licence: string
  readonly where: ReadonlySet<Place>
}

/** Licences that allow to pass a package on within a product under the MIT licence, with its notice only. */
const ACCEPTED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'OFL-1.1']

interface Locked {
  readonly version: string
  readonly license?: string
  readonly dev?: boolean
}
interface Bundled {
  readonly name: string
  readonly version: string
  readonly identifier?: string
}

/** @returns the packages of the lock file that are not for development, those that the built window lists, and Electron, by name */
export function shippedPackages(root: string): readonly Shipped[] {
  const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
  const found = new Map<string, Shipped & { where: Set<Place> }>()
  const add = (name: string, version: string, licence: string | undefined, where: Place) => {
    const key = `${name}@${version}`
    const known = found.get(key) ?? { name, version, licence: licence ?? 'none stated', where: new Set() }
    known.where.add(where)
    found.set(key, known)
  }
  const { packages }: { packages: Record<string, Locked> } = json('package-lock.json')
  for (const [path, { version, license, dev }] of Object.entries(packages))
    if (path !== '' && !dev) add(path.replace(/^.*node_modules\//, ''), version, license, 'engine')
  const electron = packages['node_modules/electron']
  if (electron) add('electron', electron.version, electron.license, 'desktop')
  const bundled: readonly Bundled[] = json('out/renderer/licences.json')
  for (const { name, version, identifier } of bundled) add(name, version, identifier, 'window')
  return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

/** @returns a sentence for each package whose licence is not known to be acceptable */
export const licenceProblems = (packages: readonly Shipped[]): readonly string[] =>
  packages
    .filter(({ licence }) => !ACCEPTED.includes(licence))
    .map(
      ({ name, version, licence }) =>
        `${name} ${version} ships under the licence "${licence}", which tests/release/shipped.ts does not accept. Read the licence: add it there, or replace the package.`,
    )

/** Parts of the page docs/licences.md below its title. */
export function licencesParts(root: string): readonly string[] {
  const rows = shippedPackages(root).map(({ name, version, licence, where }) => [
    name,
    version,
    licence,
    [...where].join(', '),
  ])
  return [
    'Acuse is under [the MIT licence](../LICENSE). It ships with these packages. npm installs those of the *engine* beside it, with their licences;' +
      ' the *window* holds parts of others, whose licences are in its file `licences.json`. Only *desktop* packages have Electron; the licences of it and of' +
      ' Chromium are files there.',
    markdownTable(['Package', 'Version', 'Licence', 'Where'], rows),
  ]
}
