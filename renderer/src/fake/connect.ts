import type { CommandName, Params, Result } from '#contract/commands.ts'
import type { ConnectTest } from '#contract/connect.ts'
import type { ReceiverState } from '#contract/status.ts'

type Handlers = { readonly [C in CommandName & `connect.${string}`]: (params: Params<C>) => Result<C> }

/** A machine in one network; tests come to what `found` says. */
export class FakeConnect {
  /** What the next test comes to, besides what was asked. */
  found: Partial<ConnectTest> = {}
  last: ConnectTest | null = null
  readonly #receiver: () => ReceiverState

  constructor(receiver: () => ReceiverState) {
    this.#receiver = receiver
  }

  readonly handlers: Handlers = {
    'connect.state': () => ({
      addresses: [
        { address: '192.168.1.20', family: 4, name: 'eth0' },
        { address: '2001:db8::20', family: 6, name: 'eth0' },
      ],
      last: this.last,
    }),
    'connect.test': ({ url, method = 'POST' }) => {
      const listening = this.#receiver().state === 'listening'
      this.last = {
        ...{ url, method, at: Date.now(), outcome: 'receiver-off', address: null, error: null },
        ...{ certificate: null, answer: null, arrival: null },
        timings: {
          ...{ lookupUs: null, connectUs: null, tlsUs: null, sendUs: null, waitUs: null, receiveUs: null },
        },
        ...(listening ? ARRIVED : {}),
        ...this.found,
      }
      return this.last
    },
  }
}

const ARRIVED: Partial<ConnectTest> = {
  outcome: 'arrived',
  address: '203.0.113.7:443',
  timings: {
    ...{ lookupUs: 11_200, connectUs: 24_300, tlsUs: 41_800, sendUs: 300, waitUs: 88_000, receiveUs: 200 },
  },
  answer: { status: 200, statusText: 'OK', server: 'cloudflare', location: null, text: '', hint: null },
  arrival: {
    ...{ id: 1, afterMs: 122, endpoint: 'default', remoteAddress: '127.0.0.1', rejected: false, status: 200 },
    changes: [
      { part: 'header', how: 'added', name: 'X-Forwarded-For', sent: null, arrived: '198.51.100.4' },
      { part: 'header', how: 'added', name: 'CF-Ray', sent: null, arrived: '9a1b2c3d4e5f-MIA' },
    ],
  },
}
