import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { type Import, importsOf, namesFrom, resolve, type Sources } from './scan.ts'
import { BUNDLED, MOST_LINES, OPEN_NOTHING, OPENERS, type Row, TABLE } from './table.ts'

const within = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)
const inAny = (folders: readonly string[] | undefined, path: string): boolean =>
  folders?.some((folder) => within(path, folder)) ?? false

function rowOf(path: string): [folder: string, row: Row] | undefined {
  const folders = Object.keys(TABLE).filter((folder) => within(path, folder))
  const folder = folders.sort((a, b) => b.length - a.length)[0]
  const row = folder === undefined ? undefined : TABLE[folder]
  return folder !== undefined && row ? [folder, row] : undefined
}

const allows = (packages: readonly string[], name: string): boolean =>
  packages.some((one) => one === name || (one.endsWith('/*') && name.startsWith(one.slice(0, -1))))

/** @returns the error for an import that the table forbids, or undefined */
function refuse(path: string, one: Import, files: Sources, assets: ReadonlySet<string>): string | undefined {
  const found = rowOf(path)
  if (!found) return `stands in no folder of the table in tests/boundaries/table.ts`
  const [folder, row] = found
  const has = (name: string) => files.has(name) || assets.has(name)
  const target = resolve(path, one.specifier, { has }, isBuiltin)
  if (target.type === 'missing') return `names ${target.path}, which does not exist`
  if (one.how === 'require') return `calls require('${one.specifier}'); everything here is an ES module`
  if (target.type === 'node')
    return row.node ? undefined : `${folder} must not import ${target.name}: it runs without Node`
  if (target.type === 'package')
    return allows(row.packages, target.name)
      ? undefined
      : `${folder} must not import the package ${target.name}, types included`
  if (target.query === 'nodeWorker' && !inAny(BUNDLED, path))
    return `?nodeWorker belongs to ${BUNDLED.join(' and ')}: plain Node cannot load it`
  if (within(target.path, folder)) return undefined
  if (!inAny(row.from, target.path) || inAny(row.except, target.path))
    return `${folder} must not import ${target.path}`
  return inAny(row.typesOnly, target.path) && !one.typeOnly
    ? `${folder} may import types only from ${target.path}`
    : undefined
}

/**
 * Lists every breach of the import table.
 * @param assets importable files without code (styles, pages)
 */
export function forbiddenImports(files: Sources, assets: ReadonlySet<string> = new Set()): string[] {
  return [...files].flatMap(([path, source]) =>
    importsOf(path, source).flatMap((one) => {
      const sentence = refuse(path, one, files, assets)
      return sentence === undefined ? [] : [`${path}: ${sentence}`]
    }),
  )
}

const FILE_SYSTEM = ['node:fs', 'fs', 'node:fs/promises', 'fs/promises']

/** Lists files that could open a database without SQLite. Launch scripts may: they run before any database is open. */
export const strayOpeners = (files: Sources): string[] =>
  [...files]
    .filter(([path]) => !(path in OPENERS) && !within(path, 'src/hosts/launch'))
    .flatMap(([path, source]) =>
      namesFrom(path, source, FILE_SYSTEM)
        .filter((name) => !OPEN_NOTHING.has(name))
        .map((name) => `${path}: imports ${name} from node:fs; only files of OPENERS may open files`),
    )

type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** Imports of each file, types included. Excludes workers and assets named by URL, which another thread loads. */
function importsBetween(files: Sources): Graph {
  const targets = (path: string, source: string): string[] =>
    importsOf(path, source).flatMap((one) => {
      const target = resolve(path, one.specifier, files, isBuiltin)
      return one.how === 'file' || target.type !== 'file' || target.query ? [] : [target.path]
    })
  return new Map([...files].map(([path, source]) => [path, new Set(targets(path, source))]))
}

/** Members of each import cycle, sorted (Tarjan's strongly connected components). */
function circles(graph: Graph): string[][] {
  const found: string[][] = []
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const visit = (node: string): void => {
    order.set(node, order.size)
    lowest.set(node, order.size - 1)
    const lower = (to: number) => lowest.set(node, Math.min(lowest.get(node) ?? to, to))
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) {
        visit(next)
        lower(lowest.get(next) ?? 0)
      } else if (stack.includes(next)) lower(order.get(next) ?? 0)
    }
    if (lowest.get(node) !== order.get(node)) return
    const members = stack.splice(stack.indexOf(node))
    if (members.length > 1) found.push(members.sort())
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return found.sort()
}

export const fileCircles = (files: Sources): string[][] => circles(importsBetween(files))

/** Import cycles between folders, types included: neither of two such folders can be understood alone. */
export function folderCircles(files: Sources): string[][] {
  const graph = new Map<string, Set<string>>()
  for (const [path, targets] of importsBetween(files)) {
    const folder = posix.dirname(path)
    const known = graph.get(folder) ?? new Set()
    for (const target of targets) if (posix.dirname(target) !== folder) known.add(posix.dirname(target))
    graph.set(folder, known)
  }
  return circles(graph)
}

/** Files longer than MOST_LINES. */
export const longFiles = (files: Sources): string[] =>
  [...files]
    .map(([path, source]) => [path, source.trimEnd().split('\n').length] as const)
    .filter(([, lines]) => lines > MOST_LINES)
    .map(([path, lines]) => `${path}: ${lines} lines, at most ${MOST_LINES}`)

/** Ana is the user in our examples; another user's home folder is a leak. */
const MACHINE_PATH =
  /(?<![\w.:}*/-])\/(?:(?:work|root|tmp)\/[\w.-]+|(?:home|Users)\/(?!ana\b)[\w.-]+)|\b[A-Z]:\\+Users\\/

export const machinePaths = (files: Sources): string[] =>
  [...files].flatMap(([path, source]) =>
    source.split('\n').flatMap((line, index) => {
      const found = MACHINE_PATH.exec(line)
      return found ? [`${path}:${index + 1}: names the machine path ${found[0]}`] : []
    }),
  )

/** Lists the files that import a package, of all that a thread loads when it starts. */
export function importersOf(name: string, entry: string, files: Sources): string[] {
  const found: string[] = []
  const loaded = new Set([entry])
  for (const path of loaded)
    for (const one of importsOf(path, files.get(path) ?? '')) {
      if (one.typeOnly || one.how !== 'static') continue
      const target = resolve(path, one.specifier, files, isBuiltin)
      if (target.type === 'package' && target.name === name) found.push(path)
      if (target.type === 'file' && files.has(target.path)) loaded.add(target.path)
    }
  return found
}
