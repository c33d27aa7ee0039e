import { spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  casesInPlaywright,
  casesInVitest,
  failedInPlaywright,
  failedInVitest,
} from '../../support/failures.mjs'
import { tempFolder } from '../../support/temp-folder.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** Runs one of the two runners over these files. @returns the report that it wrote */
function reported(
  program: string,
  args: string[],
  files: Record<string, string>,
  env: NodeJS.ProcessEnv = {},
) {
  const folder = tempFolder()
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const { VITEST: _, ...own } = process.env
  spawnSync(process.execPath, [join(ROOT, 'node_modules', program), ...args], {
    cwd: folder,
    env: { ...own, ...env, FORCE_COLOR: '1' },
  })
  return { folder, report: JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) }
}

describe('what npm test says at its end', () => {
  it('names what failed in vitest: a test with what it expected, a file that does not load with its reason', () => {
    const args = ['run', '--root', '.', '--reporter=json', '--outputFile.json=report.json']
    const { folder, report } = reported('vitest/vitest.mjs', args, {
      'sum.test.ts':
        "import { expect, it } from 'vitest'\nit('adds', () => expect(1 + 1).toBe(3))\nit('holds', () => expect(1).toBe(1))",
      'lost.test.ts': "import './nowhere.ts'",
    })
    expect(failedInVitest(report, folder).sort()).toEqual([
      expect.stringMatching(/^lost\.test\.ts: .*nowhere/),
      'sum.test.ts › adds: AssertionError: expected 2 to be 3 // Object.is equality',
    ])
    const times = casesInVitest(report, folder)
    expect(times.map(({ name }) => name)).toEqual(['sum.test.ts › adds', 'sum.test.ts › holds'])
    expect(times.every(({ ms }) => ms >= 0)).toBe(true)
  })
  it('names what failed in Playwright, and not what its retry mended', () => {
    const args = ['test', '--config=.', '--reporter=json', '--retries=1']
    const test = "import { expect, test } from '@playwright/test'\n"
    const files = {
      'playwright.config.ts': 'export default {}',
      'sum.spec.ts': `${test}test('adds', () => expect(1 + 1).toBe(3))\ntest('late', ({}, { retry }) => expect(retry).toBe(1))`,
    }
    const { report } = reported('@playwright/test/cli.js', args, files, {
      PLAYWRIGHT_JSON_OUTPUT_NAME: 'report.json',
    })
    expect(failedInPlaywright(report)).toEqual([
      'sum.spec.ts:2 › adds: Error: expect(received).toBe(expected) // Object.is equality',
    ])
    expect(casesInPlaywright(report).map(({ name }) => name)).toEqual([
      ...['sum.spec.ts:2 › adds', 'sum.spec.ts:3 › late'],
    ])
  })
  it('says nothing where a runner wrote no report', () => {
    expect([failedInVitest(undefined, '/'), failedInPlaywright(undefined)]).toEqual([[], []])
  })
})
