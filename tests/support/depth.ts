import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** `npm test -- --all` runs property tests at full depth; `npm test` and a runner started by hand run a share of it. */
const FULL = process.env.ACUSE_TEST_DEPTH === 'full'

/** @returns the number of runs of a property test: `full` with `--all`, else a tenth of it but at least 20, never more than `full` */
export const runs = (full: number): number =>
  FULL ? full : Math.min(full, Math.max(20, Math.ceil(full / 10)))

/**
 * Plain `npm test` runs a selection; `--all`, a named part, and a runner started by hand run everything. The selection skips the
 * files listed here and every test with the tag `long` (`@long` in the browser).
 */
export const SELECTION = process.env.ACUSE_TEST_SELECTION === 'short'

const there = (folder: string, files: readonly string[]): readonly string[] => {
  const gone = files.find((file) => !existsSync(join(import.meta.dirname, '..', folder, file)))
  if (gone === undefined) return files
  throw new Error(`tests/support/depth.ts names ${folder}/${gone}, which is not there; correct the list.`)
}

const filesOf = (folder: string, names: string): string[] =>
  names.split(' ').map((name) => `${folder}/${name}.test.ts`)

/** Below tests/: each takes more than two seconds, and a shorter test of the same part stays in the selection. */
export const LONG_TESTS = there('', [
  ...filesOf('reliability', 'bombs crowds damage faults kill shared shared-work'),
  ...filesOf('conformance', 'mcp reconcile-month reconcile-worlds'),
  // The attached host runs the same suite; the desktop's shell and protection have specs of the selection.
  ...filesOf('contract', 'desktop local-socket shared-faults shared-log trial'),
  ...filesOf('unit/storage', 'damage moved sizes expensive answered-instead'),
  ...filesOf(
    'unit/hosts',
    'replay/restart reconcile/restart reconcile/scheduled cli/inspector cli/options cli/test-suite transfer/session',
  ),
  ...filesOf('unit/interop/schema', 'code described'),
  ...filesOf('unit', 'receiver/memory launch/download launch/prepare hosts/package packaging/package'),
])

/** Below tests/e2e/: the selection visits each screen of the window, the desktop shell and its protection. */
export const SELECTED_SPECS = there('e2e', [
  ...['compare', 'sandbox'].map((name) => `app/${name}.spec.ts`),
  ...['accessibility', 'detail', 'documents', 'drift', 'first-load', 'settings', 'states'].map(
    (name) => `window/${name}.spec.ts`,
  ),
  'window/replays-list.spec.ts',
  ...['desktop', 'protection'].map((name) => `shell/${name}.spec.ts`),
])
