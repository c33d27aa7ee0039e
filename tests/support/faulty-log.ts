import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { workerData } from 'node:worker_threads'

/** Faults that a test selects through shared memory: which call of the log's thread fails, and with which error. */
export const FAULTS = ['none', 'write EIO', 'sync EIO', 'write ENOSPC'] as const

if (workerData) {
  const { fault, file } = workerData
  const failing =
    <A extends unknown[], R>(call: string, work: (...args: A) => R) =>
    (...args: A): R => {
      const [broken, code] = FAULTS[Number(Atomics.load(fault, 0))]?.split(' ') ?? []
      if (broken === call) throw Object.assign(new Error(`${code}: ${call}`), { code, syscall: call })
      return work(...args)
    }
  fs.writevSync = failing('write', fs.writevSync)
  fs.fdatasyncSync = failing('sync', fs.fdatasyncSync)
  syncBuiltinESMExports()
  await import(file)
}
