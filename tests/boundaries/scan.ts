import { extname, posix } from 'node:path'
import { parseSync } from 'vite'

/** Source files by path from the project's root, with forward slashes. */
export type Sources = ReadonlyMap<string, string>

export interface Import {
  readonly specifier: string
  /** `import type`, `export type … from`, `typeof import()`: gone once the types are stripped. */
  readonly typeOnly: boolean
  /** `file`: `new URL('…', import.meta.url)`, a worker or asset that this module does not evaluate. */
  readonly how: 'static' | 'dynamic' | 'file' | 'require'
}

const TYPE_ONLY = /^(?:import|export)\s+type\b/
const CALL = /\b(import|require)\s*\(\s*(['"`])([^'"`]+)\2/g
const FILE_URL = /\bnew\s+URL\s*\(\s*(['"`])([^'"`]+)\1\s*,\s*import\.meta\.url/g

const known = new Map<string, readonly Import[]>()

/** Lists a file's imports. @throws Error when the file is not valid TypeScript */
export function importsOf(path: string, source: string): readonly Import[] {
  const found = known.get(path + source) ?? readImports(path, source)
  known.set(path + source, found)
  return found
}

function readImports(path: string, source: string): Import[] {
  const lang = extname(path) === '.tsx' ? 'tsx' : 'ts'
  const parsed = parseSync(path, source, { lang })
  if (parsed.errors.length > 0) throw new Error(`${path}: ${parsed.errors[0]?.message}`)
  const code = blankComments(source, parsed.comments)
  const { staticImports, staticExports, dynamicImports } = parsed.module
  const found: Import[] = []
  const take = (start: number, end: number, specifier: string | undefined) => {
    const typeOnly = TYPE_ONLY.test(source.slice(start, end))
    if (specifier !== undefined) found.push({ specifier, typeOnly, how: 'static' })
  }
  for (const { start, end, moduleRequest } of staticImports) take(start, end, moduleRequest.value)
  for (const { start, end, entries } of staticExports)
    take(start, end, entries.find((entry) => entry.moduleRequest)?.moduleRequest?.value)
  const evaluated = new Set(dynamicImports.map(({ start }) => start))
  for (const match of code.matchAll(CALL)) {
    const [, name, , specifier = ''] = match
    if (name === 'require') found.push({ specifier, typeOnly: false, how: 'require' })
    else found.push({ specifier, typeOnly: !evaluated.has(match.index), how: 'dynamic' })
  }
  for (const [, , specifier = ''] of code.matchAll(FILE_URL))
    found.push({ specifier, typeOnly: false, how: 'file' })
  return found
}

/** Names that a file imports from modules, without types; `*` for a whole module. */
export function namesFrom(path: string, source: string, modules: readonly string[]): string[] {
  const { staticImports } = parseSync(path, source, { lang: extname(path) === '.tsx' ? 'tsx' : 'ts' }).module
  const named = staticImports
    .filter(({ moduleRequest }) => modules.includes(moduleRequest.value))
    .flatMap(({ entries }) => entries.filter((entry) => !entry.isType))
    .map(({ importName }) => importName.name ?? '*')
  const whole = importsOf(path, source).some(
    ({ specifier, how, typeOnly }) => modules.includes(specifier) && how !== 'static' && !typeOnly,
  )
  return whole ? [...named, '*'] : named
}

/** Replaces comments by spaces of the same length. */
function blankComments(source: string, comments: readonly { start: number; end: number }[]): string {
  let code = source
  for (const { start, end } of comments)
    code = code.slice(0, start) + code.slice(start, end).replace(/[^\n]/g, ' ') + code.slice(end)
  return code
}

export type Target =
  | { readonly type: 'file'; readonly path: string; readonly query: string }
  | { readonly type: 'node'; readonly name: string }
  | { readonly type: 'package'; readonly name: string }
  | { readonly type: 'missing'; readonly path: string }

/** Resolves an import specifier in a file, by the `imports` of package.json. */
export function resolve(
  from: string,
  specifier: string,
  files: { has(path: string): boolean },
  isBuiltin: (name: string) => boolean,
): Target {
  const [bare = '', query = ''] = specifier.split('?')
  const local = bare.startsWith('.')
    ? posix.join(posix.dirname(from), bare)
    : bare.startsWith('#')
      ? `src/${bare.slice(1)}`
      : bare.startsWith('@/')
        ? `renderer/src/${bare.slice(2)}`
        : undefined
  if (local !== undefined)
    return files.has(local) ? { type: 'file', path: local, query } : { type: 'missing', path: local }
  if (bare.startsWith('node:') || isBuiltin(bare)) return { type: 'node', name: bare }
  const [first = '', second = ''] = bare.split('/')
  return { type: 'package', name: first.startsWith('@') ? `${first}/${second}` : first }
}
