// What failed and what was slow, read from the runners' own reports: the end of a long log must name them.
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/**
 * The failed tests of a report of vitest (reporter json), a line each: file, name, and what was expected.
 * A file that did not load has no test to name: it stands with its own message.
 */
export function failedInVitest(report, root) {
  return (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (status === 'failed' && failed.length === 0) return [`${file}: ${firstLine(message)}`]
    return failed.map((test) => `${file} › ${test.fullName}: ${firstLine(test.failureMessages[0])}`)
  })
}

/** The same of a report of Playwright: what failed on its retry too, and errors outside of any test. */
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

/** Every test of a report of vitest with its time. */
export const casesInVitest = (report, root) =>
  (report?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      name: `${relative(root, name)} › ${fullName}`,
      ms: duration ?? 0,
    })),
  )

/** The same of a report of Playwright; retries count. */
export const casesInPlaywright = (report) =>
  specsOf(report).map(({ file, line, title, tests }) => {
    const results = tests.flatMap((test) => test.results)
    return {
      name: `${file}:${line} › ${title}`,
      ms: results.reduce((sum, { duration }) => sum + duration, 0),
    }
  })

/** Without the colours of a terminal, which a log shows as rubbish. */
function firstLine(text = 'no message') {
  return stripVTControlCharacters(text).trim().split('\n')[0]
}
