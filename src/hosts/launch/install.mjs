import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MINIMUM_NODE, pinnedNode, Refusal, run, say } from './project.mjs'

/**
 * Installs the packages when they are missing or are not those of package-lock.json.
 * @throws Refusal when npm fails, or when the pinned Node is not there afterwards
 */
export async function ensureInstalled(root) {
  if (!isInstalled(root)) {
    say('Installing the packages (npm ci) …')
    const { program, args } = npm()
    const { code } = await run(program, [...args, 'ci', '--include=dev', '--loglevel=notice'], {
      cwd: root,
    })
    if (code !== 0)
      throw new Refusal(`Installing the packages failed (npm ci ended with ${code}); its reasons are above.`)
  }
  await guardNode(root)
}

/**
 * Whether node_modules is what package-lock.json says. npm's own list inside node_modules is compared, which it writes last: an
 * interrupted installation does not count, and one made by hand does.
 */
export function isInstalled(root) {
  const wanted = packagesOf(join(root, 'package-lock.json'))
  const there = packagesOf(join(root, 'node_modules/.package-lock.json'))
  if (!wanted || !there || !pinnedNode(root)) return false
  return Object.entries(wanted).every(
    ([path, entry]) =>
      path === '' ||
      // Packages of other platforms are listed and rightly absent.
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
 * The npm that runs us, under the Node that runs it; else the one in the path. Not under the pinned Node: `npm ci` removes that first.
 */
function npm() {
  const { npm_execpath: script, npm_node_execpath: node } = process.env
  if (script && node && /npm-cli\.c?js$/.test(script)) return { program: node, args: [script] }
  return process.platform === 'win32'
    ? { program: 'cmd.exe', args: ['/d', '/s', '/c', 'npm'] }
    : { program: 'npm', args: [] }
}

/** Without its install script the package "node" leaves no Node behind, and everything would silently run under an older one. */
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
