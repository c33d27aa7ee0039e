// npm test: prepares the project, runs a selection of the tests at short depth (all of them at full depth with --all), or the parts
// named, and ends with one line "N passed, N failed".
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepare } from '../src/hosts/launch/prepare.mjs'
import { pinnedNode, Refusal, ROOT, run, say } from '../src/hosts/launch/project.mjs'
import { casesInPlaywright, casesInVitest, failedInPlaywright, failedInVitest } from './support/failures.mjs'
import { findChromium } from './support/find-chromium.mjs'

const PARTS = ['types', 'lint', 'knip', 'boundaries', 'unit', 'contract', 'conformance', 'reliability', 'e2e']
/** Projects of vitest by part. */
const VITEST_PARTS = {
  boundaries: ['boundaries'],
  unit: ['unit-pure', 'unit'],
  contract: ['contract'],
  conformance: ['conformance'],
  reliability: ['reliability'],
}
const given = process.argv.slice(2).filter((argument) => argument !== '--')
const full = given.includes('--all')
const wanted = given.filter((argument) => argument !== '--all')
const unknown = wanted.filter((part) => !PARTS.includes(part))
const scratch = mkdtempSync(join(tmpdir(), 'acuse-test-'))
const results = []
/** All tests with their durations. */
const cases = []
const SLOWEST = 30

process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
process.exitCode = 1
if (unknown.length > 0) {
  say(`There is no part "${unknown[0]}"; give --all, or parts: ${PARTS.join(', ')}.`)
  process.exitCode = 2
} else {
  await everything().catch((error) => {
    say(error instanceof Refusal ? error.message : error.stack)
    results.push({ name: 'preparation', passed: 0, failed: 1, names: [], seconds: 0 })
  })
  summarise()
}

async function everything() {
  await prepare(ROOT)
  process.env.ACUSE_TEST_DEPTH = full ? 'full' : 'short'
  // A named part runs completely.
  if (!full && wanted.length === 0) process.env.ACUSE_TEST_SELECTION = 'short'
  const chromium = await findChromium(ROOT, pinnedNode(ROOT))
  if (chromium) process.env.CHROMIUM = chromium
  // Programs started by tests search for `node` in the path, and must find the pinned one.
  process.env.PATH = `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`
  // Tests start hundreds of processes and threads from the same few files; the shared cache saves compiling them each time.
  process.env.NODE_COMPILE_CACHE ||= join(ROOT, 'node_modules/.cache/acuse-compiled')

  const parts = Object.keys(VITEST_PARTS).filter(chosen)
  // In parallel: tests wait for disks and processes a third of their time.
  await Promise.all([checks(), parts.length > 0 && vitest(parts)])
  if (chosen('e2e')) await playwright(chromium)
}

function chosen(part) {
  return wanted.length === 0 || wanted.includes(part)
}

/** Runs a program of node_modules under the pinned Node. */
function tool(file, args, { env = {}, quiet = false } = {}) {
  const program = join(ROOT, 'node_modules', file)
  return run(pinnedNode(ROOT), [program, ...args], { cwd: ROOT, env: { ...process.env, ...env }, quiet })
}

/** Runs the checks in parallel; each counts as one test. */
async function checks() {
  // Incremental: reuses the results of an earlier run. One checker: several repeat half of each other's work.
  const kept = (part) => join(ROOT, 'node_modules/.cache/acuse-types', `${part}.tsbuildinfo`)
  const tsc = (part) => () =>
    tool(
      'typescript/bin/tsc',
      ['-p', part, '--checkers', '1', '--incremental', '--tsBuildInfoFile', kept(part)],
      {
        quiet: true,
      },
    )
  const all = {
    // The tests' program holds every file. The others check src without the browser's types, and the window without Node's.
    types: full || wanted.length > 0 ? [tsc('src'), tsc('renderer'), tsc('tests')] : [tsc('tests')],
    lint: [() => tool('@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.'], { quiet: true })],
    knip: [() => tool('knip/bin/knip.js', [], { quiet: true })],
  }
  const some = Object.entries(all).filter(([name]) => chosen(name))
  await Promise.all(
    some.map(([name, steps]) =>
      timed(name, async () => {
        let failed = 0
        for (const step of steps) {
          const { code, output } = await step()
          if (code === 0) continue
          failed = 1
          say(output)
        }
        return { passed: 1 - failed, failed }
      }),
    ),
  )
}

async function vitest(parts) {
  const projects = parts.flatMap((part) => VITEST_PARTS[part])
  await timed(parts.join(', '), async () => {
    const report = join(scratch, 'vitest.json')
    const { code } = await tool('vitest/vitest.mjs', [
      'run',
      ...['-c', 'tests/vitest.config.ts', '--root', '.'],
      ...projects.flatMap((project) => ['--project', project]),
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    ])
    const told = read(report)
    cases.push(...casesInVitest(told, ROOT))
    const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0 } = told ?? {}
    return counted(code, numPassedTests, numFailedTests, numPendingTests, failedInVitest(told, ROOT))
  })
}

async function playwright(chromium) {
  await timed('e2e', async () => {
    if (!chromium)
      throw new Refusal('No Chromium was found and none could be installed; set CHROMIUM to one.')
    const report = join(scratch, 'playwright.json')
    const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: report }
    const { code } = await tool(
      '@playwright/test/cli.js',
      ['test', '-c', 'tests/playwright.config.ts', '--reporter=list,json'],
      { env },
    )
    const told = read(report)
    cases.push(...casesInPlaywright(told))
    const { expected = 0, flaky = 0, unexpected = 0, skipped = 0 } = told?.stats ?? {}
    return counted(code, expected + flaky, unexpected, skipped, failedInPlaywright(told))
  })
}

/** Counts results; a runner that fails without a failed test (a file that does not load, an error between tests) counts as one failure. */
function counted(code, passed, failed, skipped, names) {
  if (skipped > 0) say(full ? `${skipped} skipped` : `${skipped} are left to npm test -- --all`)
  const silent = code !== 0 && failed === 0
  return {
    passed,
    failed: silent ? 1 : failed,
    names: silent && names.length === 0 ? [`the runner ended with ${code} though no test failed`] : names,
  }
}

function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

async function timed(name, body) {
  say(`\n── ${name}`)
  const began = performance.now()
  const { names = [], ...counts } = await body().catch((error) => {
    say(error instanceof Refusal ? error.message : error.stack)
    return { passed: 0, failed: 1 }
  })
  results.push({ name, ...counts, names, seconds: (performance.now() - began) / 1_000 })
}

/** Prints the summary; its last line goes to stdout for scripts. */
function summarise() {
  const sum = (member) => results.reduce((total, result) => total + result[member], 0)
  if (cases.length > 0) say(`\nThe ${SLOWEST} slowest tests:`)
  for (const { name, ms } of cases.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST))
    say(`${(ms / 1_000).toFixed(1).padStart(7)} s  ${name}`)
  say('')
  for (const { name, passed, failed, names, seconds } of results) {
    say(`${failed > 0 ? '✗' : '✓'} ${name}: ${passed} passed, ${failed} failed (${seconds.toFixed(1)} s)`)
    for (const one of names) say(`    ${one}`)
  }
  process.exitCode = sum('failed') > 0 || sum('passed') === 0 ? 1 : 0
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
}
