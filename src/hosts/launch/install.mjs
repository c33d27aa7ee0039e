import { readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { MINIMUM_NODE, pinnedNode, Refusal, run, say } from './project.mjs'

/**
 * Installs the packages unless they match package-lock.json.
 * @throws Refusal when npm fails, or when the pinned Node is missing afterwards
 */
export async function ensureInstalled(root) {
  await ensurePackages(root, isInstalled(root))
  await guardNode(root)
}

/**
 * Installs the packages of a folder with a lock file of its own. @param node runs npm, which leaves out optional packages that do not
 * support its Node; default: the Node that started this script @throws Refusal when npm fails
 */
export async function ensurePackages(folder, there = matchesLock(folder), node = undefined) {
  if (there) return
  say('Installing the packages (npm ci) …')
  const { program, args } = npm(node)
  const { PATH = '' } = process.env
  const { code } = await run(program, [...args, 'ci', '--include=dev', '--loglevel=notice'], {
    cwd: folder,
    env: node ? { ...process.env, PATH: `${dirname(node)}${delimiter}${PATH}` } : process.env,
  })
  if (code !== 0)
    throw new Refusal(`Installing the packages failed (npm ci ended with ${code}); its reasons are above.`)
}

/**
 * Whether node_modules matches package-lock.json. Compares npm's own list inside node_modules, which npm writes last: an
 * interrupted installation does not match, and a manual one does.
 */
export function isInstalled(root) {
  return pinnedNode(root) !== undefined && matchesLock(root)
}

function matchesLock(folder) {
  const wanted = packagesOf(join(folder, 'package-lock.json'))
  const there = packagesOf(join(folder, 'node_modules/.package-lock.json'))
  if (!wanted || !there) return false
  return Object.entries(wanted).every(
    ([path, entry]) =>
      path === '' ||
      // The lock file also lists packages for other platforms, which npm does not install.
      (entry.optional && !there[path]) ||
      (there[path]?.version === entry.version && there[path]?.integrity === entry.integrity),
  )
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}

/**
 * The npm that started this script, with its Node; else the npm in the path. Not the pinned Node, which `npm ci` removes first.
 */
function npm(given) {
  const { npm_execpath: script, npm_node_execpath: own } = process.env
  const node = given ?? own
  if (script && node && /npm-cli\.c?js$/.test(script)) return { program: node, args: [script] }
  return process.platform === 'win32'
    ? { program: 'cmd.exe', args: ['/d', '/s', '/c', 'npm'] }
    : { program: 'npm', args: [] }
}

/** Checks the pinned Node: without its install script the package "node" contains none, and an older Node would run everything. */
async function guardNode(root) {
  const node = pinnedNode(root)
  const { code, output } = node
    ? await run(node, ['-p', 'process.versions.node'], { quiet: true })
    : { code: 1, output: 'there is none in node_modules' }
  if (code !== 0 || !(Number.parseInt(output, 10) >= MINIMUM_NODE))
    throw new Refusal(
      `Acuse needs the Node ${MINIMUM_NODE} that comes with it (${output.trim()}). Run "npm ci" without --ignore-scripts.`,
    )
}
