// What failed, read from the runners' own reports: whoever reads only the end of a long log must still learn the name.
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/**
 * The failed tests of a report of vitest (reporter json), a line each: file, name, and what was expected.
 * A file that did not load has no test to name: it is told with its own message.
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
  return [...(report?.suites ?? []).flatMap(failedSpecs), ...outside]
}

function failedSpecs({ specs = [], suites = [] }) {
  const own = specs.flatMap(({ ok, file, line, title, tests }) => {
    if (ok) return []
    const error = tests.flatMap(({ results }) => results).find((result) => result.error)?.error
    return [`${file}:${line} › ${title}: ${firstLine(error?.message)}`]
  })
  return [...own, ...suites.flatMap(failedSpecs)]
}

/** Without the colours of a terminal, which a log shows as rubbish. */
function firstLine(text = 'no message') {
  return stripVTControlCharacters(text).trim().split('\n')[0]
}
