import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import { analyse } from '#core/checks/analyse.ts'
import { ANALYSIS_VERSION } from '#core/checks/analysis.ts'
import { aBody, bytesOf } from '../../../support/events.ts'
import { words } from '../../../support/words.ts'

/** Digest of the results on the same bodies, by version of analysis. Add an entry for a new version; keep those of released versions. */
const DIGESTS: Readonly<Record<number, string>> = { 8: '0c85aef45fc3c107', 9: '27f113767fd9d832' }

/** Valid and invalid values for each check. */
const ODD: readonly unknown[] = [null, '', 'x', 7, -1, 1.5, true, [], {}, [[]], [{}], 'A'.repeat(300)]

function bodies(): Uint8Array[] {
  const whole = KINDS.map(({ kind }) => aBody(kind))
  const changed = KINDS.flatMap(({ kind, fields }) =>
    fields.flatMap((name, place) => [
      aBody(kind, { data: { [name]: ODD[place % ODD.length] } }),
      aBody(kind, { data: { [name]: undefined } }),
      aBody(kind, { data: { [name.toLowerCase()]: 1 } }),
    ]),
  )
  const envelopes = ODD.flatMap((odd) => [
    aBody('factura.created', { Event: odd }),
    aBody('factura.created', { Timestamp: odd }),
    bytesOf({ Event: 'factura.created', Timestamp: '2026-11-21T09:20:41Z', data: odd }),
    bytesOf(odd),
  ])
  const broken = words('{ {"a":1,"a":2} [1 {"a":01} {"a":"\\x"}')
  const texts = ['', ' ', ...broken, '\ufeff{}', '{}x', '{"a":"\u0001"}']
  return [...whole, ...changed, ...envelopes, ...texts.map((text) => new TextEncoder().encode(text))]
}

test('a check that changes raises ANALYSIS_VERSION, so that stored deliveries are analysed again', () => {
  const hash = createHash('sha256')
  for (const bytes of [...bodies(), aBody('factura.created', { Event: 'test.connection' })])
    for (const method of ['POST', 'PATCH'])
      hash.update(JSON.stringify(analyse({ method, contentType: 'application/json', body: { bytes } })))
  const forgotten = `Analyses have changed: raise ANALYSIS_VERSION in src/core/checks/analysis.ts, and add its digest here.`
  expect(hash.digest('hex').slice(0, 16), forgotten).toBe(DIGESTS[ANALYSIS_VERSION])
})
