// Everything in this folder runs before anything is installed, under whatever Node there is (20 or newer): Node's own modules only.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The first Node whose node:sqlite is recent enough. */
export const MINIMUM_NODE = 24

/** The folder that holds package.json. */
export const ROOT = resolve(import.meta.dirname ?? '.', '../../..')

/**
 * How the engine is run where we start it: its threads make much that lives for one batch only, and neither V8's large nurseries nor an
 * arena of glibc's allocator per thread gain anything then. Both together save a third of the memory under load. The threshold keeps large
 * buffers out of the arenas, which would hold on to them: glibc raises it with each one that is given back.
 */
export const LEAN = {
  flags: ['--max-semi-space-size=4'],
  env: { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144' },
}

/** Talk goes to stderr: stdout belongs to what the command prints. */
export const say = (line) => void process.stderr.write(`${line}\n`)

/** A reason not to go on that is for a person to read, not a defect. */
export class Refusal extends Error {}

/** The Node that comes with the project. */
export function pinnedNode(root) {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const places = [join(root, 'node_modules/node/bin', name), join(root, 'node_modules/.bin', name)]
  return places.find((place) => existsSync(place))
}

/**
 * Runs a program to its end.
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean, limit?: number }} options quiet: its output is kept and given back
 *   instead of going to stderr
 * @returns {Promise<{ code: number, output: string }>} code is 1 when it could not be run, and 128 + n after a signal
 */
export function run(program, args, options = {}) {
  const { cwd, env = process.env, quiet = false } = options
  return new Promise((done) => {
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 2, 2],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (bytes) => {
        output += bytes
      })
    child.on('error', (error) => done({ code: 1, output: error.message }))
    child.on('close', (code, signal) => done({ code: code ?? (signal === 'SIGINT' ? 130 : 143), output }))
  })
}
