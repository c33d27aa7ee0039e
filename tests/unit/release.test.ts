import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { stageApp } from '../../packaging/stage.mjs'
import { billOfMaterials, billProblems } from '../release/bill.ts'
import { buildCopy, buildProblems } from '../release/builds.ts'
import {
  changelogProblems,
  licencesProblems,
  lockfileProblems,
  type Problems,
  versionProblems,
} from '../release/checks.ts'
import { licencesParts, shippedPackages } from '../release/shipped.ts'
import { outcomeOf } from '../support/host.ts'
import { tempFolder } from '../support/temp-folder.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const TODAY = '2026-11-27'
const HASH = `sha512-${Buffer.alloc(64).toString('base64')}`

/** Builds the package: each build gives the same file, or one of its own. */
const SAME = "'1'"
const NEVER_SAME = 'String(process.hrtime.bigint())'
const BUILD = `const { mkdirSync, writeFileSync } = require('node:fs')
for (const part of ['main', 'preload', 'renderer']) mkdirSync('out/' + part, { recursive: true })
writeFileSync('out/main/index.js', ${SAME})
`

/** A project of one file and one dependency that is ready for a release. */
function ready(): string {
  const root = tempFolder()
  for (const folder of ['docs', 'node_modules/left', 'out/renderer', 'resources/tray'])
    mkdirSync(join(root, folder), { recursive: true })
  for (const file of ['LICENSE', 'node_modules/left/index.js', 'resources/icon.png']) write(root, file, '')
  write(root, 'build.cjs', BUILD)
  const project = { name: 'tiny', version: '1.2.0', license: 'MIT' }
  const own = { ...project, dependencies: { left: '2.0.0' }, devDependencies: { react: '19.0.0' } }
  write(root, 'package.json', { ...own, files: ['out/main'], scripts: { prepack: 'node build.cjs' } })
  const left = { version: '2.0.0', license: 'ISC', integrity: HASH }
  const react = { version: '19.0.0', license: 'MIT', dev: true, integrity: HASH }
  const packages = { '': own, 'node_modules/left': left, 'node_modules/react': react }
  write(root, 'package-lock.json', { name: 'tiny', version: '1.2.0', lockfileVersion: 3, packages })
  write(root, 'out/renderer/licences.json', [{ name: 'react', version: '19.0.0', identifier: 'MIT' }])
  write(
    root,
    'CHANGELOG.md',
    '# Changelog\n\n## 1.2.0 (2026-11-20)\n\nIt does more.\n\n## 1.1.0 (2025-01-01)\n',
  )
  write(root, 'docs/licences.md', `# Licences\n\n${licencesParts(root).join('\n\n')}\n`)
  return root
}

const write = (root: string, file: string, content: unknown) =>
  writeFileSync(join(root, file), typeof content === 'string' ? content : JSON.stringify(content))
const change = (root: string, file: string, from: string | RegExp, to: string) =>
  write(root, file, readFileSync(join(root, file), 'utf8').replace(from, to))

const billCheck = async (root: string) => billProblems(await billOfMaterials(root), shippedPackages(root))
const buildCheck = async (root: string) => {
  const folder = tempFolder()
  return buildProblems(await buildCopy(root, join(folder, 'a')), await buildCopy(root, join(folder, 'other')))
}
const changelogCheck = (root: string) => changelogProblems(root, TODAY)

type Check = (root: string) => Problems | Promise<Problems>
const CHECKS: readonly Check[] = [
  changelogCheck,
  versionProblems,
  lockfileProblems,
  licencesProblems,
  billCheck,
  buildCheck,
]

test('a project that is ready passes every check', async () => {
  const root = ready()
  for (const check of CHECKS) expect(await check(root)).toEqual([])
})

test.each<[string, Check, (root: string) => void, RegExp]>([
  [
    'a changelog without a date',
    changelogCheck,
    (root) => change(root, 'CHANGELOG.md', '1.2.0 (2026-11-20)', '1.2 (unreleased)'),
    /^CHANGELOG.md: its newest section is "## 1.2 \(unreleased\)".*: "## 1.2.0 \(2026-11-27\)"\.$/,
  ],
  [
    'a changelog of another version',
    changelogCheck,
    (root) => change(root, 'CHANGELOG.md', '1.2.0', '1.3.0'),
    /about 1.3.0, package.json about 1.2.0\. Make it/,
  ],
  [
    'a changelog of tomorrow',
    changelogCheck,
    (root) => change(root, 'CHANGELOG.md', '11-20', '11-28'),
    /the date of .* is not a day until today/,
  ],
  [
    'a day that no calendar has',
    changelogCheck,
    (root) => change(root, 'CHANGELOG.md', '11-20', '02-30'),
    /the date of .* is not a day until today/,
  ],
  [
    'an empty changelog',
    changelogCheck,
    (root) => change(root, 'CHANGELOG.md', 'It does more.', ''),
    /the section .* is empty/,
  ],
  [
    'a version that is none',
    versionProblems,
    (root) => change(root, 'package.json', '"1.2.0"', '"1.2"'),
    /^package.json: "1.2" is not a version .* Run "npm version/,
  ],
  [
    'a lock file of another version',
    versionProblems,
    (root) => change(root, 'package.json', '"1.2.0"', '"1.2.1"'),
    /^package-lock.json: its version is 1.2.0, that of package.json 1.2.1/,
  ],
  [
    'a dependency that the lock file does not have',
    lockfileProblems,
    (root) => change(root, 'package.json', '"left":"2.0.0"', '"left":"2.0.1"'),
    /^package-lock.json is out of date: package.json has left 2.0.1, package-lock.json 2.0.0/,
  ],
  [
    'a lock file that names a server',
    lockfileProblems,
    (root) =>
      change(root, 'package-lock.json', '"ISC"', '"ISC","resolved":"https://npm.example.com/left.tgz"'),
    /^package-lock.json: node_modules\/left names the server npm.example.com/,
  ],
  [
    'a licence that is not accepted',
    licencesProblems,
    (root) => change(root, 'package-lock.json', '"ISC"', '"SSPL-1.0"'),
    /^left 2.0.0 ships under the licence "SSPL-1.0", .* replace the package/,
  ],
  [
    'a package of the window without a licence',
    licencesProblems,
    (root) => change(root, 'out/renderer/licences.json', ',"identifier":"MIT"', ''),
    /^react 19.0.0 ships under the licence "none stated"/,
  ],
  [
    'a stale page of licences',
    licencesProblems,
    (root) => change(root, 'docs/licences.md', '| left | 2.0.0', '| left | 1.9.0'),
    /^docs\/licences.md is out of date. Run "npm run docs"/,
  ],
  [
    'a package in the window that npm does not know',
    billCheck,
    (root) => change(root, 'out/renderer/licences.json', '19.0.0', '19.0.1'),
    /^The bill of materials lacks react@19.0.1/,
  ],
  [
    'a hash that is none',
    billCheck,
    (root) => change(root, 'package-lock.json', HASH, `sha512-${Buffer.alloc(5).toString('base64')}`),
    /^The bill of materials breaks the schema of CycloneDX 1.5 at \/components\/0\/hashes/,
  ],
  [
    'a build that depends on the moment',
    buildCheck,
    (root) => change(root, 'build.cjs', SAME, NEVER_SAME),
    /^Two builds of the same sources gave two npm packages, which differ in out\/main\/index.js\./,
  ],
])('%s is reported', async (_, check, breakIt, sentence) => {
  const root = ready()
  breakIt(root)
  expect(await check(root)).toContainEqual(expect.stringMatching(sentence))
})

const run = (program: string, args: readonly string[], cwd: string) =>
  outcomeOf(spawn(program, args, { cwd, stdio: 'pipe' }))
const release = (cwd: string, ...args: string[]) =>
  run(process.execPath, [join(ROOT, 'tests/release/main.ts'), ...args], cwd)
const everything = (root: string) => readdirSync(root, { recursive: true }).map(String).sort()

test('npm run release: --dry-run changes nothing, and without it there are files to publish', {
  tags: 'long',
}, async () => {
  const root = ready()
  const before = join(tempFolder(), 'before')
  cpSync(root, before, { recursive: true })
  expect(await release(root, '--dry-run')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^(✓ [\w ]+\n){6}/),
  })
  expect(everything(root)).toEqual(everything(before))

  const { code, stdout } = await release(root)
  expect([code, stdout]).toEqual([0, expect.stringContaining('npm publish release/tiny-1.2.0.tgz')])
  const files = ['SHA256SUMS', 'notes.md', 'tiny-1.2.0.cdx.json', 'tiny-1.2.0.tgz']
  expect(readdirSync(join(root, 'release')).sort()).toEqual(files)
  expect(await run('sha256sum', ['--check', 'SHA256SUMS'], join(root, 'release'))).toMatchObject({ code: 0 })
  expect(readFileSync(join(root, 'release/notes.md'), 'utf8')).toBe('It does more.\n')
})

test('npm run release: a problem ends it with 1, and no files', { tags: 'long' }, async () => {
  const root = ready()
  change(root, 'CHANGELOG.md', ' (2026-11-20)', '')
  const { code, stdout } = await release(root)
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/^✗ changelog\n {4}CHANGELOG.md: .*\n✓ version\n/),
  ])
  expect(readdirSync(root)).not.toContain('release')
})

test('this project: versions, lock file, licences and bill of materials are in order', async () => {
  for (const check of [versionProblems, lockfileProblems, licencesProblems, billCheck])
    expect(await check(ROOT)).toEqual([])
  const names = shippedPackages(ROOT).map(({ name }) => name)
  for (const name of ['express', 'react', '@fontsource-variable/inter', 'tailwindcss'])
    expect(names).toContain(name)
})

test('this project: the desktop app has the licence of every package in it', () => {
  const staged = stageApp(ROOT, join(tempFolder(), 'app'))
  const folders = new Set(
    staged.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []),
  )
  expect(folders.size).toBeGreaterThan(50)
  const licences = [...folders].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => /^licen[cs]e/i.test(name))
      .map((name) => `${folder}/${name}`),
  )
  expect(licences.length).toBeGreaterThan(50)
  expect(licences.filter((file) => !staged.includes(file))).toEqual([])
})

test('this project: two builds are equal, byte for byte', { tags: 'long', timeout: 600_000 }, async () =>
  expect(await buildCheck(ROOT)).toEqual([]),
)
