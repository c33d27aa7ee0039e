import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export function processFile(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** @returns a process and all its descendants */
export function descendants(root: number): number[] {
  const parents = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
    .map((pid) => [pid, Number(/\) \S (\d+)/.exec(processFile(pid, 'stat'))?.[1])] as const)
  const found = [root]
  for (const pid of found)
    found.push(...parents.filter(([, parent]) => parent === pid).map(([child]) => child))
  return found
}

/** Milliseconds of processor time so far, of living processes. */
export function processorMs(pids: readonly number[]): number {
  // Fields 14 and 15: user and system time, in hundredths of a second.
  const times = pids.flatMap((pid) => processFile(pid, 'stat').split(') ')[1]?.split(' ').slice(11, 13) ?? [])
  return times.reduce((sum, time) => sum + 10 * Number(time), 0)
}

/** @returns inodes of the TCP sockets on which a process listens */
export function listeningSockets(pid: number): string[] {
  const LISTENING = '0A'
  const listening = ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/net/${table}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((columns) => columns[3] === LISTENING)
      .map((columns) => columns[9] ?? ''),
  )
  const held = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? []
    } catch {
      return []
    }
  })
  return listening.filter((inode) => held.includes(inode)).sort()
}
