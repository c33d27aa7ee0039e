import { expect, test } from 'vitest'
import type { Language } from '#catalog/text.ts'
import type { FilterMatches } from '#contract/settings.ts'
import { type NoticeParts, nativeNotices, staysOpen } from '../../../src/main/notices.ts'
import { scheduleState } from '../../support/settings-content.ts'

function rig(change: Partial<NoticeParts> = {}) {
  const shown: { title: string; body: string; click: () => void }[] = []
  const opened: (string | undefined)[] = []
  const notices = nativeNotices({
    make: (words) => {
      let click = () => {}
      return {
        on: (_, listener) => {
          click = listener
        },
        show: () => shown.push({ ...words, click }),
      }
    },
    language: () => 'en',
    open: (hash) => opened.push(hash),
    ...change,
  })
  return { notices, take: notices.schedule, shown, opened }
}

test('a run that missed something new is told of, and a click opens its sweep', () => {
  const { take, shown, opened } = rig()
  take(scheduleState({ missing: 3, fresh: 2 }))
  const said = { title: 'Events of erp were missed', body: '2 documents with missed events.' }
  expect(shown).toMatchObject([said])
  shown[0]?.click()
  expect(opened).toEqual(['#/reconcile/sweep-14'])
})

test('what is no news is not told: nothing new, nothing at all, or not wanted', () => {
  const { take, shown } = rig()
  take(scheduleState({ missing: 3, fresh: 0 }))
  take(scheduleState({}))
  take(scheduleState({ missing: 1, fresh: 1 }, { notify: false }))
  take({ ...scheduleState({}), last: null })
  expect(shown).toEqual([])
})

test('it speaks Spanish, and says what was recovered', () => {
  const { notices, take, shown } = rig({ language: () => 'es' })
  const recovery = { target: 'erp-local', documents: 1, events: 2, jobs: [5] }
  take(scheduleState({ missing: 1, fresh: 1, recovery }))
  expect(shown[0]).toMatchObject({
    title: 'Se perdieron eventos de erp',
    body: '1 documento con un evento perdido; se reconstruyeron y se envían a erp-local.',
  })
  notices.matched(found({ more: 1 }))
  expect(shown[1]?.body).toBe('factura.created · E310000000077 · inválida, y 1 más')
})

test('a system without notifications is no reason to fail', () => {
  const { take, shown } = rig({ make: () => undefined })
  take(scheduleState({ fresh: 1 }))
  expect(shown).toEqual([])
})

const found = (change: Partial<FilterMatches> = {}): FilterMatches => ({
  name: 'Wrong ones',
  delivery: { id: 42, kind: 'factura.created', number: 'E310000000077', verdict: 'invalid' },
  more: 0,
  ...change,
})

test('that the receiver goes on without a window is said with the way back, and a click brings it', () => {
  let language: Language = 'en'
  const { notices, shown, opened } = rig({ language: () => language })
  notices.stays('darwin')
  language = 'es'
  notices.stays('linux')
  expect(shown).toMatchObject([
    { title: 'Acuse goes on receiving', body: expect.stringContaining('menu bar') },
    { title: 'Acuse sigue recibiendo', body: expect.stringContaining('bandeja') },
  ])
  shown[0]?.click()
  expect(opened).toEqual([undefined])
})

test.each([
  [null, 'darwin', true],
  [null, 'linux', false],
  [null, 'win32', false],
  [true, 'linux', true],
  [false, 'darwin', false],
] as const)('chosen %s, on %s: without a window it goes on %s', (keepReceiving, platform, expected) =>
  expect(staysOpen({ desktop: { keepReceiving } }, platform)).toBe(expected),
)
