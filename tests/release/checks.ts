import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { licenceProblems, licencesParts, shippedPackages } from './shipped.ts'

/** Each check returns a sentence per problem: what, where, what to do. */
export type Problems = readonly string[]

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly engines?: Readonly<Record<string, string>>
}
interface Lock {
  readonly version: string
  readonly packages: Readonly<Record<string, Locked>>
}
interface Locked extends Manifest {
  readonly resolved?: string
}

const text = (root: string, path: string): string => readFileSync(join(root, path), 'utf8')
export const manifestOf = (root: string): Manifest => JSON.parse(text(root, 'package.json'))
const lockOf = (root: string): Lock => JSON.parse(text(root, 'package-lock.json'))

/** @returns the part of CHANGELOG.md on the newest version: its heading, and its text */
export function newestSection(root: string): { readonly heading: string; readonly text: string } {
  const [, newest = ''] = `\n${text(root, 'CHANGELOG.md')}`.split('\n## ')
  const [heading = '', ...body] = newest.split('\n')
  return { heading, text: body.join('\n').trim() }
}

const DATED = /^(\d+\.\d+\.\d+) \((\d{4}-\d{2}-\d{2})\)$/

/** The newest section is about the version of package.json, and has a date that is past. */
export function changelogProblems(root: string, today: string): Problems {
  const { version } = manifestOf(root)
  const { heading, text: body } = newestSection(root)
  const [, named, date = ''] = DATED.exec(heading) ?? []
  const wanted = `"## ${version} (${today})"`
  if (named === undefined)
    return [
      `CHANGELOG.md: its newest section is "## ${heading}". A release needs the version of package.json and a date: ${wanted}.`,
    ]
  return [
    ...(named === version
      ? []
      : [
          `CHANGELOG.md: its newest section is about ${named}, package.json about ${version}. Make it ${wanted}, or run "npm version --no-git-tag-version ${named}".`,
        ]),
    ...(date <= today && new Date(date).toJSON()?.startsWith(date)
      ? []
      : [`CHANGELOG.md: the date of "## ${heading}" is not a day until today. Make it ${wanted}.`]),
    ...(body === ''
      ? [`CHANGELOG.md: the section "## ${heading}" is empty. Say what changed for users.`]
      : []),
  ]
}

/** Both files of npm state the same version, which is one that npm accepts. */
export function versionProblems(root: string): Problems {
  const { version } = manifestOf(root)
  const { version: locked, packages } = lockOf(root)
  const remedy = 'Run "npm version --no-git-tag-version VERSION", which writes both files.'
  if (!/^\d+\.\d+\.\d+$/.test(version))
    return [`package.json: "${version}" is not a version such as 1.2.3. ${remedy}`]
  return [locked, packages['']?.version]
    .filter((one) => one !== version)
    .slice(0, 1)
    .map((one) => `package-lock.json: its version is ${one}, that of package.json ${version}. ${remedy}`)
}

/** The lock file has what package.json demands, and names no server, since that may be a private one. */
export function lockfileProblems(root: string): Problems {
  const manifest = manifestOf(root)
  const { packages } = lockOf(root)
  const own = packages['']
  const wanted = { ...manifest.devDependencies, ...manifest.dependencies }
  const recorded = { ...own?.devDependencies, ...own?.dependencies }
  const names = [...new Set([...Object.keys(wanted), ...Object.keys(recorded)])].sort()
  const remedy = 'Run "npm install" and commit package-lock.json.'
  return [
    ...names.flatMap((name) => {
      const there = packages[`node_modules/${name}`]?.version
      if (wanted[name] === recorded[name] && wanted[name] === there) return []
      const says = `package.json has ${name} ${wanted[name] ?? 'no longer'}, package-lock.json ${recorded[name] ?? 'not'}`
      return [`package-lock.json is out of date: ${says}, installed as ${there ?? 'nothing'}. ${remedy}`]
    }),
    ...Object.entries(packages).flatMap(([path, { resolved }]) =>
      resolved?.startsWith('http')
        ? [
            `package-lock.json: ${path} names the server ${new URL(resolved).host}. Remove its "resolved", and set "omit-lockfile-registry-resolved" for npm.`,
          ]
        : [],
    ),
  ]
}

/** Every licence is one of those that are accepted, and the page about them is up to date. */
export function licencesProblems(root: string): Problems {
  const current = text(root, 'docs/licences.md').endsWith(`\n${licencesParts(root).join('\n\n')}\n`)
  return [
    ...licenceProblems(shippedPackages(root)),
    ...(current ? [] : ['docs/licences.md is out of date. Run "npm run docs" and commit it.']),
  ]
}
