import { defineConfig } from 'vitest/config'

/** Worker threads inherit nothing from vitest's transforms: tests spawn the real .ts files, which Node 24 runs as they are. */
const node = (name: string, include: string[], testTimeout = 20_000) => ({
  test: { name, include, environment: 'node' as const, pool: 'forks' as const, testTimeout },
})

export default defineConfig({
  test: {
    projects: [
      node('boundaries', ['tests/boundaries.test.ts']),
      node('unit', ['tests/unit/**/*.test.ts']),
      node('contract', ['tests/contract/**/*.test.ts'], 60_000),
      node('conformance', ['tests/conformance/**/*.test.ts'], 60_000),
      node('reliability', ['tests/reliability/**/*.test.ts'], 120_000),
    ],
  },
})
