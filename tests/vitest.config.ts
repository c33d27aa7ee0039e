import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LONG_TESTS, SELECTION } from './support/depth.ts'

/** Tests often wait for child processes and disks: three files keep two cores busy, two do not. */
const WORKERS = Math.max(3, availableParallelism() - 1)

const LEFT_OUT = SELECTION ? LONG_TESTS.map((file) => `tests/${file}`) : []

/** Worker threads do not inherit vitest's transforms: tests spawn the real .ts files, which Node 24 runs directly. */
const node = (name: string, include: string[], testTimeout = 60_000) => ({
  test: {
    name,
    include,
    exclude: LEFT_OUT,
    environment: 'node' as const,
    pool: 'forks' as const,
    // Long, for hanging tests only: a test that starts seven processes is slow on a busy machine.
    testTimeout,
    hookTimeout: 60_000,
    maxWorkers: WORKERS,
    sequence: { groupOrder: 0 },
  },
})
/** Pure functions: their tests leave no state, so files can share a process. */
const PURE = ['core', 'renderer', 'catalog', 'contract', 'interop', 'sandbox/data', 'sandbox/domain'].map(
  (part) => `tests/unit/${part}/**/*.test.ts`,
)
const together = ({ test }: ReturnType<typeof node>) => ({
  // The window's imports use this alias.
  resolve: { alias: { '@': resolve(import.meta.dirname, '../renderer/src') } },
  test: { ...test, isolate: false },
})
const except = ({ test }: ReturnType<typeof node>, exclude: string[]) => ({
  test: { ...test, exclude: [...exclude, ...test.exclude] },
})

/** Runs after all others, one file at a time: these tests kill processes under their own load. The selection has no kills. */
const alone = ({ test }: ReturnType<typeof node>) => ({
  test: SELECTION ? test : { ...test, maxWorkers: 1, sequence: { groupOrder: 1 } },
})

export default defineConfig({
  test: {
    globalSetup: 'tests/support/threads.ts',
    tags: [{ name: 'long', description: 'A shorter test of the same part stays in the selection.' }],
    ...(SELECTION ? { tagsFilter: ['!long'] } : {}),
    projects: [
      node('boundaries', ['tests/boundaries.test.ts']),
      together(node('unit-pure', PURE)),
      except(node('unit', ['tests/unit/**/*.test.ts']), PURE),
      node('contract', ['tests/contract/**/*.test.ts']),
      node('conformance', ['tests/conformance/**/*.test.ts']),
      alone(node('reliability', ['tests/reliability/**/*.test.ts'], 120_000)),
    ],
  },
})
