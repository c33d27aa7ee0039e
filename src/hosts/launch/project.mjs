// All files of this folder run before packages are installed, under any Node from version 20, so they import only Node's own modules.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The first Node with a recent enough node:sqlite. */
export const MINIMUM_NODE = 24

/** The folder that holds package.json. */
export const ROOT = resolve(import.meta.dirname ?? '.', '../../..')

/**
 * Flags and environment for the engine. Objects of its threads mostly live for one batch, so V8's large young generation and an
 * arena of glibc's allocator per thread gain nothing. Both limits together save a third of the memory under load. The threshold keeps large
 * buffers out of the arenas, which would not release them: without a fixed value, glibc raises the threshold with each freed buffer.
 */
export const LEAN = {
  flags: ['--max-semi-space-size=4'],
  env: { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144' },
}

/** Prints a message to stderr; stdout is for the command's own output. */
export const say = (line) => void process.stderr.write(`${line}\n`)

/** An expected failure, with a message for the user. */
export class Refusal extends Error {}

/** @returns the path of the project's Node; undefined before the installation */
export function pinnedNode(root) {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const places = [join(root, 'node_modules/node/bin', name), join(root, 'node_modules/.bin', name)]
  return places.find((place) => existsSync(place))
}

/**
 * Runs a program to its end.
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean, limit?: number }} options quiet: returns the program's output
 *   instead of printing it to stderr
 * @returns {Promise<{ code: number, output: string }>} code is 1 when the program could not be started, and 128 + n after a signal
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
