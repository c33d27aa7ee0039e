import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../../support/temp-folder.ts'

const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0
const CHILD = join(import.meta.dirname, '../../support/low-disk-child.ts')

test.runIf(canMount)(
  'while the disk is nearly full deliveries are kept; jobs, forwards and sweeps wait, say why, and go on by themselves',
  () => {
    const mount = join(tempFolder(), 'small')
    mkdirSync(mount)
    const command = `mount -t tmpfs -o size=160m none "${mount}" && TMPDIR="${mount}" exec "${process.execPath}" --no-warnings "${CHILD}"`
    const run = spawnSync('unshare', ['-rm', 'sh', '-c', command], { encoding: 'utf8', timeout: 100_000 })
    expect(run.stderr).toBe('')
    const low = expect.stringMatching(/^Only \d+ MB are free on the disk/)
    expect(JSON.parse(run.stdout)).toEqual({
      low: { answered: 200, job: low, lane: low, sweep: low, sent: [] },
      after: { job: null, lane: null, sweep: 'complete', sent: ['/job', '/live', '/sync', '/sync'] },
    })
  },
  120_000,
)
