import { describe, expect, it } from 'vitest'
import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import type { ReceiverTls, Settings } from '#contract/settings.ts'
import type { ReceiverState } from '#contract/status.ts'
import { createListening, type RunPlace } from '#core/engine/listening.ts'
import type { Receiver } from '#core/ports.ts'
import { memorySettings } from '../../support/memory-settings.ts'

interface Place {
  readonly host: string
  readonly port: number
  readonly tls: ReceiverTls | null
}

/** A receiver that accepts any address, and takes ports 50001, 50002 … for 0. */
function made(run: RunPlace) {
  const places: Place[] = []
  let state: ReceiverState = { state: 'off' }
  const settings = memorySettings()
  const receiver: Receiver = {
    state: () => state,
    onState: () => () => {},
    async start(host, port, tls = null) {
      places.push({ host, port, tls })
      state = { state: 'listening', url: '', host, port: port === 0 ? 50_000 + places.length : port }
      return state
    },
    async stop() {
      state = { state: 'off' }
    },
  }
  const listening = createListening(receiver, settings, run)
  const change = async (receiverSettings: Partial<Settings['receiver']>) => {
    const before = settings.get().receiver
    const now = { ...before, ...receiverSettings }
    await settings.change((all) => ({ ...all, receiver: now }))
    await listening.changed(before, now)
  }
  return { listening, places, receiver, change }
}

const TLS: ReceiverTls = { certificate: 'generated' }

describe('where the receiver listens', () => {
  it('is where the run was started, also after it was stopped and started in the window', async () => {
    const { listening, places, receiver } = made({ port: 5_000, tls: TLS })
    await listening.start()
    await receiver.stop()
    await listening.start()
    expect(places).toEqual(Array(2).fill({ host: '127.0.0.1', port: 5_000, tls: TLS }))
  })

  it('keeps a port that the system chose, for senders know it by then', async () => {
    const { listening, places, receiver } = made({ port: 0 })
    await listening.start()
    await receiver.stop()
    await listening.start()
    expect(places.map(({ port }) => port)).toEqual([0, 50_001])
  })

  it('is what a setting says once that is changed, and only that', async () => {
    const { listening, places, change } = made({ port: 5_000, tls: TLS })
    await listening.start()
    await change({ bodyLimit: 1_000_000 })
    expect(places).toHaveLength(1)
    await change({ host: '0.0.0.0' })
    expect(places.at(-1)).toEqual({ host: '0.0.0.0', port: 5_000, tls: TLS })
    await change({ port: 4_410 })
    expect(places.at(-1)).toEqual({ host: '0.0.0.0', port: 4_410, tls: TLS })
  })

  it('is the port that is asked for with the start, though it is the one in the settings', async () => {
    const { listening, places } = made({ port: 5_000 })
    await listening.start()
    await listening.start({ port: DEFAULT_SETTINGS.receiver.port })
    expect(places.at(-1)?.port).toBe(DEFAULT_SETTINGS.receiver.port)
  })

  it('stays off while it is off, whatever is set', async () => {
    const { places, change } = made({})
    await change({ port: 4_410 })
    expect(places).toEqual([])
  })
})
