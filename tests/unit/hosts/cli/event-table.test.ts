import { expect, test } from 'vitest'
import type { DeliveryRow } from '#contract/delivery.ts'
import { EventTable } from '#hosts/cli/commands/events.ts'
import { eventRecord, utc } from '#hosts/cli/shared/records.ts'

const ROW: DeliveryRow = {
  id: 7,
  receivedAt: 1_700_000_000_123_456,
  endpoint: 'default',
  method: 'POST',
  url: '/hook',
  size: 12,
  answer: null,
  tookUs: null,
  rejected: true,
  malformed: 'cut-off',
  event: '\u001b[2Jevil\n',
  kind: null,
  group: null,
  documentId: null,
  number: null,
  statusId: null,
  timestamp: null,
  verdict: null,
  findings: 0,
  marks: ['late'],
  attempts: 0,
  note: false,
  tags: [],
}

test('the machine record has exactly the promised names, in order, and what people say behind them', () => {
  expect(Object.keys(eventRecord(ROW))).toEqual(
    'id receivedAt endpoint method url kind group documentId statusId verdict answer size rejected marks tags note'.split(
      ' ',
    ),
  )
  expect(eventRecord(ROW)).toMatchObject({
    receivedAt: '2023-11-14T22:13:20.123456Z',
    verdict: null,
    marks: ['late'],
  })
})

test('microseconds survive in UTC', () => {
  expect(utc(0)).toBe('1970-01-01T00:00:00.000000Z')
  expect(utc(1_000_007)).toBe('1970-01-01T00:00:01.000007Z')
})

test('a line for people is one line, harmless, and no wider than the screen', () => {
  const line = new EventTable(Number.POSITIVE_INFINITY).row(ROW)
  expect(line.match(/\n/g)).toHaveLength(1)
  expect(line).toContain('\\x1b[2Jevil\\n')
  expect(line).toContain('rejected, cut-off, late')
  const narrow = new EventTable(60)
  expect(narrow.row(ROW).length).toBeLessThanOrEqual(61)
  expect(narrow.head().length).toBeLessThanOrEqual(61)
})
