import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Runs a plan in a process of its own, which can be pinned beside the server. */
export async function inProcess<Result>(file: string, plan: object, cpus?: string): Promise<Result> {
  const node = [process.execPath, file, JSON.stringify(plan)]
  const [command, ...args] =
    cpus !== undefined && process.platform === 'linux' ? ['taskset', '-c', cpus, ...node] : node
  const child = spawn(command ?? process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    output += piece
  })
  await once(child, 'close')
  return JSON.parse(output) as Result
}
