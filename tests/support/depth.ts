/** `npm test -- --all` runs property tests at full depth; `npm test` and a runner started by hand run a share of it. */
const FULL = process.env.ACUSE_TEST_DEPTH === 'full'

/** @returns how often a property test runs: `full` times with `--all`, else a tenth of it, and at least 20 times or `full` */
export const runs = (full: number): number =>
  FULL ? full : Math.min(full, Math.max(20, Math.ceil(full / 10)))
