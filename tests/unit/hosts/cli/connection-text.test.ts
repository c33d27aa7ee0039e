import { describe, expect, test } from 'vitest'
import type { ConnectionTest } from '#contract/reconcile.ts'
import { connectionTestText, indented } from '#hosts/cli/shared/connection-text.ts'

const shown = (sample: string) => {
  const came: ConnectionTest = {
    ok: true,
    status: 200,
    message: 'One item.',
    items: 1,
    mapping: null,
    sample,
  }
  return connectionTestText(came).split('\n').slice(2, -1)
}

describe('the sample of acuse connections test', () => {
  test('stands a member a line, with every digit and escape as it came', () => {
    expect(indented('{"a":1.00,"b":[1e3, "x,{\\"}"],"c":{ },"d":[],"e":{"f":null}}')).toBe(
      [
        '{',
        '  "a": 1.00,',
        '  "b": [',
        '    1e3,',
        '    "x,{\\"}"',
        '  ],',
        '  "c": {},',
        '  "d": [],',
        '  "e": {',
        '    "f": null',
        '  }',
        '}',
      ].join('\n'),
    )
  })
  test('what was cut off, in a text or after a member, and what is no JSON is shown as far as it goes', () => {
    expect(shown('{"a":"half of it')).toEqual(['{', '  "a": "half of it'])
    expect(shown('{"a":1,"b":')).toEqual(['{', '  "a": 1,', '  "b":'])
    expect(shown('<html>\n{"a":1}')).toEqual(['<html>', '{"a":1}'])
    expect(indented('}]}{')).toContain('{')
  })
  test('is bounded in lines, width and depth, says how much there is, and nothing in it acts on the terminal', () => {
    const lines = shown(JSON.stringify(Array.from({ length: 100 }, (_, i) => i)))
    expect(lines).toHaveLength(61)
    expect(lines.at(-1)).toBe('… and 42 more lines; --json has all of it.')
    expect(shown(`["${'x'.repeat(500)}"]`)[1]).toHaveLength(201)
    expect(indented('['.repeat(20_000)).length).toBeLessThan(1_000_000)
    expect(shown('{"a":"\u001b[31m"}').join()).not.toContain('\u001b')
  })
})
