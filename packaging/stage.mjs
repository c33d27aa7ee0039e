import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** Members of package.json that the app or a package's metadata needs. */
const MEMBERS = ['name', 'version', 'description', 'author', 'license', 'type', 'main']
/** Only the command line imports these, and a package without Node cannot run it. */
const COMMAND_LINE = ['commander', '@modelcontextprotocol/server']
const ENTRY = 'out/main/index.js'
/** Files of a dependency that no program reads. */
const UNREAD =
  /\.(?:map|md|markdown|[cm]?tsx?|flow|yml)$|(?:^|\/)(?:\.[^/]*|tests?|docs?|examples?|tsconfig.*)(?:\/|$)/i
/** Licences demand to be there, also those in Markdown. */
const LICENCE = /^(?:licen[cs]e|copying|notice)/i
/** Part of a built file that names another one, in an import or in the URL of a worker. */
const NAMED = /["'](?:\.\.?\/)(?:chunks\/)?([\w-]+\.js)["']/g
/** A fixed time, so that two builds are equal: the earliest that a zip file can hold. */
const EPOCH_S = Number(process.env.SOURCE_DATE_EPOCH) || 315_532_800

/**
 * Copies what the desktop app consists of, and nothing else, into an empty folder: the built main process with its threads, preload
 * script and window, the resources that they read, and production dependencies. Content, order, modes and times are the same each time.
 * @returns {string[]} the files, sorted
 */
export function stageApp(root, folder) {
  rmSync(folder, { recursive: true, force: true })
  const project = readJson(join(root, 'package.json'))
  const own = [
    ...builtFrom(root),
    ...below(root, 'out/preload'),
    ...below(root, 'out/renderer'),
    ...below(root, 'resources/tray'),
    'resources/icon.png',
    'LICENSE',
  ].filter((file) => !/\.(?:map|ts)$/.test(file))
  const files = [...own, ...dependencies(root, project)].sort()
  for (const file of files) copy(join(root, file), join(folder, file))
  const kept = Object.fromEntries(MEMBERS.flatMap((name) => (name in project ? [[name, project[name]]] : [])))
  const metadata = { ...kept, productName: 'Acuse', desktopName: 'acuse.desktop' }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(metadata, null, 2)}\n`)
  settle(folder)
  return [...files, 'package.json'].sort()
}

/** The main process and the chunks that it can reach. */
function builtFrom(root) {
  const found = new Set([ENTRY])
  for (const file of found)
    for (const [, name] of readFileSync(join(root, file), 'utf8').matchAll(NAMED))
      found.add(`out/main/chunks/${name}`)
  return [...found]
}

/** Files of the packages that the app imports and of those that they depend on, by the lock file. */
function dependencies(root, project) {
  const { packages } = readJson(join(root, 'package-lock.json'))
  const found = new Set()
  const need = (name, from) => {
    // Node's own search: the nearest node_modules above the importing package.
    for (let folder = from; ; folder = folder.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, '')) {
      const path = `${folder && `${folder}/`}node_modules/${name}`
      if (packages[path]) {
        if (found.has(path)) return
        found.add(path)
        for (const one of Object.keys(packages[path].dependencies ?? {})) need(one, path)
        return
      }
      if (folder === '')
        throw new Error(`package-lock.json does not list ${name}, which ${from || 'the app'} needs`)
    }
  }
  for (const name of Object.keys(project.dependencies)) if (!COMMAND_LINE.includes(name)) need(name, '')
  return [...found].flatMap((path) =>
    below(root, path).filter((file) => {
      const inside = file.slice(path.length + 1)
      return !inside.startsWith('node_modules/') && (LICENCE.test(inside) || !UNREAD.test(inside))
    }),
  )
}

function below(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to, { mode: 0 })
}

/** Gives every file and folder the fixed time. */
function settle(path) {
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) settle(join(path, name))
  utimesSync(path, EPOCH_S, EPOCH_S)
}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))
