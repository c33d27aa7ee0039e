import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/*
 * Loaded into a process or thread before Acuse (`--import`): lets calls of the log fail, as on a broken, full or read-only disk, and sets
 * the clock. The file ACUSE_TEST_FAULT has the present fault: call, error code, share of the calls that fail, and bytes that a write needs
 * to fail; or `sync held`, which keeps syncs from returning; or `clock`, and the milliseconds by which it is slow.
 */
const FILE = process.env.ACUSE_TEST_FAULT ?? ''
const cell = new Int32Array(new SharedArrayBuffer(4))
const { writeSync, fdatasyncSync, openSync, unlinkSync, readFileSync } = fs

function fault(): readonly string[] {
  try {
    return readFileSync(FILE, 'utf8').split(' ')
  } catch {
    return []
  }
}

function mayFail(call: string, size = 0): void {
  const [what, code = '', share = '1', from = '0'] = fault()
  if (what === call && code !== 'held' && size >= Number(from) && Math.random() < Number(share))
    throw Object.assign(new Error(`${code}: ${call}`), { code, syscall: call })
}

Object.assign(fs, {
  writeSync(fd: number, bytes: Uint8Array, from: number, length: number, at: number) {
    try {
      mayFail('write', length)
    } catch (error) {
      // A failed write may have written a part.
      writeSync(fd, bytes, from, length >> 1, at)
      throw error
    }
    return writeSync(fd, bytes, from, length, at)
  },
})
fs.fdatasyncSync = (fd) => {
  while (fault().join(' ') === 'sync held') Atomics.wait(cell, 0, 0, 5)
  mayFail('sync')
  fdatasyncSync(fd)
}
fs.openSync = (path, flags, mode) => {
  if (String(path).endsWith('.segment') && Number(flags) & fs.constants.O_CREAT) mayFail('folder')
  return openSync(path, flags, mode)
}
fs.unlinkSync = (path) => {
  if (String(path).endsWith('.segment')) mayFail('folder')
  unlinkSync(path)
}
syncBuiltinESMExports()

const { now } = Date
let slow = { ms: 0, at: Number.NEGATIVE_INFINITY }
Date.now = () => {
  if (performance.now() > slow.at + 50) {
    const [what, ms] = fault()
    slow = { ms: what === 'clock' ? Number(ms) : 0, at: performance.now() }
  }
  return now() - slow.ms
}
