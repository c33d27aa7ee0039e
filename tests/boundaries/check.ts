import { isBuiltin } from 'node:module'
import { type Import, importsOf, namesFrom, resolve, type Sources } from './scan.ts'
import { BUNDLED, MOST_LINES, OPEN_NOTHING, OPENERS, type Row, TABLE } from './table.ts'

const within = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)
const within1 = (path: string, folders: readonly string[] = []): boolean =>
  folders.some((folder) => within(path, folder))

function rowOf(path: string): [folder: string, row: Row] | undefined {
  const folders = Object.keys(TABLE).filter((folder) => within(path, folder))
  const folder = folders.sort((a, b) => b.length - a.length)[0]
  const row = folder === undefined ? undefined : TABLE[folder]
  return folder !== undefined && row ? [folder, row] : undefined
}

const allows = (packages: readonly string[], name: string): boolean =>
  packages.some((one) => one === name || (one.endsWith('/*') && name.startsWith(one.slice(0, -1))))

/** The sentence for an import that the table forbids, or undefined. */
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
  if (target.query === 'nodeWorker' && !within1(path, BUNDLED))
    return `?nodeWorker belongs to ${BUNDLED.join(' and ')}: plain Node cannot load it`
  if (within(target.path, folder)) return undefined
  if (!within1(target.path, row.from) || within1(target.path, row.except))
    return `${folder} must not import ${target.path}`
  return within1(target.path, row.typesOnly) && !one.typeOnly
    ? `${folder} may import types only from ${target.path}`
    : undefined
}

/**
 * Every breach of the import table.
 * @param assets files that may be imported but hold no code (styles, pages)
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

/** Every file that could open a database behind SQLite's back. The launch scripts run before any database is open. */
export const strayOpeners = (files: Sources): string[] =>
  [...files]
    .filter(([path]) => !(path in OPENERS) && !within(path, 'src/hosts/launch'))
    .flatMap(([path, source]) =>
      namesFrom(path, source, FILE_SYSTEM)
        .filter((name) => !OPEN_NOTHING.has(name))
        .map((name) => `${path}: imports ${name} from node:fs; only files of OPENERS may open files`),
    )

/** One line for each circle of files that evaluate each other, such as `a.ts > b.ts > a.ts`. */
export function importCycles(files: Sources): string[] {
  const next = (path: string, source: string): string[] =>
    importsOf(path, source).flatMap((one) => {
      const target = resolve(path, one.specifier, files, isBuiltin)
      return one.typeOnly || one.how === 'file' || target.type !== 'file' || target.query ? [] : [target.path]
    })
  const edges = new Map([...files].map(([path, source]) => [path, next(path, source)]))
  const cycles: string[] = []
  const done = new Set<string>()
  const walk = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) cycles.push([...trail.slice(start), path].join(' > '))
    if (start >= 0 || done.has(path)) return
    for (const target of edges.get(path) ?? []) walk(target, [...trail, path])
    done.add(path)
  }
  for (const path of edges.keys()) walk(path, [])
  return cycles
}

/** Files that outgrew one idea. */
export const longFiles = (files: Sources): string[] =>
  [...files]
    .map(([path, source]) => [path, source.trimEnd().split('\n').length] as const)
    .filter(([, lines]) => lines > MOST_LINES)
    .map(([path, lines]) => `${path}: ${lines} lines, at most ${MOST_LINES}`)

/** Ana is the person of our examples; anyone else's home is a leak. */
const MACHINE_PATH =
  /(?<![\w.:}*/-])\/(?:(?:work|root|tmp)\/[\w.-]+|(?:home|Users)\/(?!ana\b)[\w.-]+)|\b[A-Z]:\\+Users\\/

/** Lines that name a place on somebody's machine. */
export const machinePaths = (files: Sources): string[] =>
  [...files].flatMap(([path, source]) =>
    source.split('\n').flatMap((line, index) => {
      const found = MACHINE_PATH.exec(line)
      return found ? [`${path}:${index + 1}: names the machine path ${found[0]}`] : []
    }),
  )
