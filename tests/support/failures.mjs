// Reads failed and slow tests from the runners' reports, so that the end of a long log can name them.
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const REASON_MAX = 600

/**
 * Lists the failed tests of a vitest report (reporter json), one per line: file, name, expectation.
 * A file that did not load has no test, so its line has the file's own message.
 */
export function failedInVitest(report, root) {
  return (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (status === 'failed' && failed.length === 0) return [`${file}: ${firstLine(message)}`]
    return failed.map((test) => `${file} › ${test.fullName}: ${firstLine(test.failureMessages[0])}`)
  })
}

/** Lists the failures of a Playwright report: tests that failed on the retry too, and errors outside of tests. */
export function failedInPlaywright(report) {
  const outside = (report?.errors ?? []).map(({ message }) => firstLine(message))
  const failed = specsOf(report).filter(({ ok }) => !ok)
  const said = failed.map(({ file, line, title, tests }) => {
    const error = tests.flatMap(({ results }) => results).find((result) => result.error)?.error
    return `${file}:${line} › ${title}: ${firstLine(error?.message)}`
  })
  return [...said, ...outside]
}

const specsOf = (part) => [...(part?.specs ?? []), ...(part?.suites ?? []).flatMap(specsOf)]

/** Lists every test of a vitest report with its time. */
export const casesInVitest = (report, root) =>
  (report?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      name: `${relative(root, name)} › ${fullName}`,
      ms: duration ?? 0,
    })),
  )

/** Lists every test of a Playwright report with its time, retries included. */
export const casesInPlaywright = (report) =>
  specsOf(report).map(({ file, line, title, tests }) => {
    const results = tests.flatMap((test) => test.results)
    return {
      name: `${file}:${line} › ${title}`,
      ms: results.reduce((sum, { duration }) => sum + duration, 0),
    }
  })

/** Removes terminal colours, which a log shows as escape sequences. A failed program says its reason in the last lines. */
function firstLine(text = 'no message') {
  const [first, ...others] = stripVTControlCharacters(text).trim().split('\n')
  const reason = others.filter((line) => !/^\s+at /.test(line)).join(' / ')
  return first.startsWith('Command failed:') ? `${first}: ${reason.slice(-REASON_MAX)}` : first
}
