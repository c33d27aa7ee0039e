import { startWindow } from '@/app/start-window.tsx'
import { FakeHost } from './host.ts'

declare global {
  interface Window {
    /** For specs, and for the console. */
    fakeHost?: FakeHost
  }
}

/**
 * `?count=5000&seed=3&gap=700&rate=20&language=es&theme=dark`: how much there is, and how much comes per second. `sandbox=300`: it runs, and
 * its log has so many entries. `off=30`: the receiver was off so many minutes ago, and the machine slept later. `sweep=400`: there are two connections, and a sweep of so many documents was made.
 */
const query = new URLSearchParams(location.search)
const number = (name: string, fallback: number): number => Number(query.get(name) ?? fallback)
const oneOf = <T extends string>(name: string, values: readonly T[], fallback: T): T =>
  values.find((value) => value === query.get(name)) ?? fallback

const count = number('count', 2_000)
const gapMs = number('gap', 700)
const host = new FakeHost({
  seed: number('seed', 7),
  count,
  gapMs,
  start: number('start', Date.now() - count * gapMs),
  settings: {
    appearance: {
      theme: oneOf('theme', ['system', 'light', 'dark'], 'system'),
      language: oneOf('language', ['system', 'en', 'es'], 'system'),
    },
  },
})
host.latencyMs = number('latency', 0)
if (query.has('off')) {
  const at = Date.now() - number('off', 30) * 60_000
  host.off = [
    { state: 'off', from: at, to: at + 7 * 60_000 },
    { state: 'asleep', from: at + 11 * 60_000, to: at + 12 * 60_000 },
  ]
}
if (query.has('sweep')) host.reconcile.fill(number('sweep', 400))
if (query.has('sandbox')) host.sandbox.fill(number('sandbox', 0))
window.fakeHost = host
startWindow(host.platform)

const rate = number('rate', 0)
if (rate > 0)
  setInterval(() => host.arrive(Math.max(1, Math.round(rate / 20)), 120), 1000 / Math.min(20, rate))
