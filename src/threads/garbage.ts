import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as NodeJS.GCFunction

/** Work after which giving memory back pays: it takes some 15 ms of processor time. */
const WORTHWHILE = 5_000

let done = 0

/** Collects this thread's garbage. Buffers lie outside of V8's heap, so V8 alone would let the garbage of several large ones pile up. */
export const collect = (): void => gc({ type: 'major', execution: 'sync' })

/** Counts what may have left garbage in this thread. */
export function worked(deliveries: number): void {
  done += deliveries
}

/** Gives this thread's garbage back to the system, after much work. Without allocations V8 collects nothing, and keeps the pages it frees. */
export function rest(): void {
  if (done < WORTHWHILE) return
  done = 0
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
