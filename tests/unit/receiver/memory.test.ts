import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { LEAN } from '#hosts/launch/project.mjs'
import { raw } from '../../support/raw-client.ts'

const MIB = 1_048_576
const piece = Buffer.alloc(MIB, 'x')

const sized = (mib: number) => [
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${mib * MIB}\r\n\r\n`,
  ...Array.from({ length: mib }, () => piece),
]

test.each([
  ['one body of 100 MiB', [100]],
  ['twenty of 10 MiB at once', Array.from({ length: 20 }, () => 10)],
])('%s: memory grows by 150 MiB at most (reliability, row 12)', async (_what, sizes) => {
  const child = fork(resolve(import.meta.dirname, 'memory-child.ts'), {
    // As `npm run serve` starts it.
    execArgv: [...LEAN.flags],
    env: { ...process.env, ...LEAN.env },
  })
  try {
    const [state] = await once(child, 'message')
    const all = await Promise.all(sizes.map((mib) => raw(state, sized(mib), { timeoutMs: 18_000 })))
    expect(all.map(({ answers }) => answers[0]?.status)).toEqual(sizes.map(() => 200))
    child.send('how much?')
    const [used] = await once(child, 'message')
    expect(used).toMatchObject({ bytes: sizes.reduce((a, b) => a + b) * MIB, defects: [] })
    expect(used.grownBytes).toBeLessThanOrEqual(150 * MIB)
    console.log(`peak growth ${(used.grownBytes / MIB).toFixed(0)} MiB`)
  } finally {
    child.kill()
  }
})
