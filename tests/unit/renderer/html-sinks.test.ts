import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const SOURCE = resolve(import.meta.dirname, '../../../renderer/src')

/** Ways by which text becomes markup, code or a link without React's escaping. */
const SINKS: readonly RegExp[] = [
  /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|createContextualFragment|DOMParser|document\.write/,
  /\beval\(|new Function\(|set(?:Timeout|Interval)\(\s*['"`]/,
  /srcDoc|srcdoc|<iframe|<object|<embed|<base\b|<meta\b|<form\b[^>]*\baction/,
  /javascript:|location\.(?:assign|replace)\(|location(?:\.href)?\s*=[^=]/,
  /setAttribute\(\s*['"`](?:on|src|href|style)/,
]
/** Links may lead only to routes of the window: `#…`. */
const LINK = /\b(?:href|formAction|xlinkHref)=(?!["']#|\{`#|\{\w+Href\(|\{mark)/

test('no screen has a way by which what was captured could become markup, code or an address (reliability, row 18)', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: SOURCE })
  expect(files.length).toBeGreaterThan(200)
  const found = files.flatMap((file) =>
    readFileSync(join(SOURCE, file), 'utf8')
      .split('\n')
      .flatMap((line, n) =>
        /^\s*(?:\*|\/[/*])/.test(line) || ![...SINKS, LINK].some((sink) => sink.test(line))
          ? []
          : [`${file}:${n + 1}: ${line.trim()}`],
      ),
  )
  expect(found).toEqual([])
})
