import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  fileCircles,
  folderCircles,
  forbiddenImports,
  importersOf,
  longFiles,
  machinePaths,
  strayOpeners,
} from './boundaries/check.ts'
import { OPENERS } from './boundaries/table.ts'

const ROOT = join(import.meta.dirname, '..')
const CODE = /\.(?:ts|tsx|mts|mjs)$/

const under = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(ROOT.length + 1)
        .replaceAll('\\', '/'),
    )
const read = (paths: readonly string[]): Map<string, string> =>
  new Map(
    paths.filter((path) => CODE.test(path)).map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]),
  )

const all = [...under('src'), ...under('renderer/src')]
const files = read(all)
const assets = new Set(['package.json', ...under('resources'), ...all.filter((path) => !CODE.test(path))])
const planted = (...sources: readonly (readonly [path: string, source: string])[]) => new Map(sources)

describe('the import table holds', () => {
  it('for every file of src and renderer/src', () => {
    expect(files.size).toBeGreaterThan(10)
    expect(forbiddenImports(files, assets)).toEqual([])
  })
  it.each([
    ['files', fileCircles],
    ['folders', folderCircles],
  ] as const)('without circles of %s, types included', (_, of) => expect(of(files)).toEqual([]))

  it('with no file over 400 lines', () => expect(longFiles(files)).toEqual([]))
  it('with no file that could open a database behind SQLite’s back', () => {
    expect(strayOpeners(files)).toEqual([])
    for (const path of Object.keys(OPENERS)) expect(files.has(path)).toBe(true)
  })
  it('with no zod in the threads that always run: its schemas take 5 to 8 MB in each', () => {
    for (const thread of ['log', 'storage/writer', 'storage/analyst', 'storage/reader'])
      expect(importersOf('zod', `src/${thread}/worker.ts`, files)).toEqual([])
    expect(importersOf('zod', 'src/hosts/transfer/worker.ts', files)).not.toEqual([])
  })
  it('with no path of one machine, tests included', () => {
    expect(machinePaths(new Map([...files, ...read(under('tests'))]))).toEqual([])
  })
})

describe('the checker catches a planted breach', () => {
  const target = ['src/contract/errors.ts', ''] as const
  /** File of a planted breach, the breach, and the expected error. */
  const breaches = `
    src/hosts/x.ts <= import { app } from 'electron' => package electron
    src/core/x.ts <= import type { App } from 'electron' => package electron
    src/core/x.ts <= type A = typeof import('electron') => package electron
    renderer/src/shared/x.tsx <= export * from 'electron/renderer' => package electron
    src/receiver/x.ts <= const ws = await import('ws') => package ws
    src/core/x.ts <= import fs from 'node:fs' => must not import node:fs
    src/catalog/x.ts <= import { join } from 'path' => must not import path
    renderer/src/shared/x.ts <= import type { Stats } from 'node:fs' => node:fs
    src/core/x.ts <= import { z } from 'zod' => package zod
    renderer/src/shared/x.ts <= import '@other/thing' => package @other/thing
    src/storage/x.ts <= import { y } from '#hosts/y.ts' => must not import src/hosts/y.ts
    src/core/x.ts <= export { y } from '../hosts/y.ts' => must not import src/hosts
    src/core/x.ts <= new URL('../hosts/y.ts', import.meta.url) => must not import src/hosts
    src/sandbox/x.ts <= import type { E } from '#contract/errors.ts' => must not import
    src/main/x.ts <= import '#hosts/y.ts' => must not import src/hosts/y
    src/preload/x.ts <= import { E } from '#contract/errors.ts' => types only
    src/preload/x.ts <= import { type E } from '#contract/errors.ts' => types only
    renderer/src/features/drift/x.ts <= import type { Y } from '@/features/stream/y.ts' => features/drift must not import renderer/src/features/stream
    renderer/src/shared/x.ts <= import '@/features/stream/y.ts' => shared must not import
    renderer/src/shared/x.ts <= import '#core/engine/engine.ts' => must not import src/core/engine
    src/storage/x.ts <= import w from './w.ts?nodeWorker' => nodeWorker
    src/hosts/x.ts <= require('express') => ES module
    src/core/x.ts <= import './nowhere.ts' => does not exist
    src/utils/x.ts <= import '#contract/errors.ts' => no folder of the table
  `
    .trim()
    .split(/\n */)
    .map((line) => line.split(/ <= | => /))
  it.each(breaches)('of %s by %s: %s', (path = '', source = '', says = '') => {
    const others = [
      'renderer/src/features/stream/y.ts',
      'src/hosts/y.ts',
      'src/core/engine/engine.ts',
      'src/storage/w.ts',
    ] as const
    const tree = planted(target, ...others.map((other) => [other, ''] as const), [path, source])
    const found = forbiddenImports(tree)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(new RegExp(`^${path}: .*${says}`))
  })

  it('a circle of three files, of types too', () => {
    for (const first of [`import './b.ts'`, `import type { B } from './b.ts'`, `type B = import('./b.ts').B`])
      expect(
        fileCircles(
          planted(
            ['src/core/a.ts', first],
            ['src/core/b.ts', `export { c } from './c.ts'`],
            ['src/core/c.ts', `import '#core/a.ts'`],
            ['src/core/d.ts', `import './a.ts'`],
          ),
        ),
      ).toEqual([['src/core/a.ts', 'src/core/b.ts', 'src/core/c.ts']])
  })

  it('a circle of two folders without one of files, of types too', () => {
    const folders = (back: string) =>
      folderCircles(
        planted(
          ['src/core/engine.ts', `import './sweep/run.ts'`],
          ['src/core/sweep/run.ts', ''],
          ['src/core/sweep/handlers.ts', back],
          ['src/core/ports.ts', ''],
        ),
      )
    expect(folders(`import type { Clock } from '../ports.ts'`)).toEqual([['src/core', 'src/core/sweep']])
    expect(folders(`import { b } from './run.ts'`)).toEqual([])
  })

  it('whatever opens files, under any name, but nothing that only looks', () => {
    const openers = (source: string) => strayOpeners(planted(['src/storage/x.ts', source]))
    for (const source of [
      `import { existsSync, openSync as look } from 'node:fs'`,
      `import * as files from 'node:fs'`,
      `import fs from 'fs'`,
      `import { readFile } from 'node:fs/promises'`,
      `const { copyFile } = await import('node:fs/promises')`,
    ])
      expect(openers(source)).toHaveLength(1)
    expect(openers(`import { chmodSync, type Stats, statSync } from 'node:fs'`)).toEqual([])
    expect(openers(`import type { ReadStream } from 'node:fs'`)).toEqual([])
    expect(
      strayOpeners(planted(['src/storage/disk/files.ts', `import { openSync } from 'node:fs'`])),
    ).toEqual([])
  })

  it('paths of one machine, but no routes', () => {
    const line = (source: string) => machinePaths(planted(['src/core/a.ts', source]))
    for (const folder of ['work', 'home', 'root', 'Users', 'tmp'])
      expect(line(`const at = '/${folder}/someone/x'`)).toHaveLength(1)
    expect(line(['const at = "C:', 'Users', 'x"'].join('\\\\'))).toHaveLength(1)
    expect(line(`const at = '/api/v1/documents/accounting-sync'`)).toEqual([])
  })
})
