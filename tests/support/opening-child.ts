import { setTimeout as wait } from 'node:timers/promises'
import { AcuseError } from '#contract/errors.ts'
import { openStore } from '#storage/facade/store.ts'
import { aDelivery, testWorkers } from './store.ts'

/*
 * A separate process: opens a store, stores a delivery, waits until damage is found and salvaged, and reports the result.
 * Arguments: folder, then "incident" to wait for an incident, or "ok" to wait for that state only.
 */
const [folder = '', expected = ''] = process.argv.slice(2)
const began = performance.now()
const until = began + 60_000
try {
  const store = await openStore({ folder, workers: testWorkers })
  await store.capture.append(aDelivery({ body: 'received' }))
  const receivingMs = performance.now() - began
  const done = () => {
    const { state, counts, incidents } = store.status()
    return state === 'ok' && counts.unfiled === 0 && (expected !== 'incident' || incidents.length > 0)
  }
  while (!done() && performance.now() < until) await wait(20)
  const [incident] = store.status().incidents
  if (incident?.salvage === 'offered') await store.salvage(incident.at).catch(() => 0)
  const { state, counts, incidents } = store.status()
  await store.close()
  console.log(JSON.stringify({ receivingMs, state, stored: counts.stored, incidents: incidents.length }))
} catch (error) {
  const code = error instanceof AcuseError ? error.code : null
  console.log(JSON.stringify({ code, message: String(error) }))
}
