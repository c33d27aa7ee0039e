import type { ReceiverTls, Settings } from '#contract/settings.ts'
import type { Receiver, SettingsStore } from '../ports.ts'

/** Where the receiver listens and with which certificate; without one it speaks plain HTTP. */
interface ListeningPlace {
  readonly host: string
  readonly port: number
  readonly tls: ReceiverTls | null
}
/** Overrides of the settings for this run. Port 0 lets the system choose a free port. */
export type RunPlace = Partial<ListeningPlace>

interface Listening {
  /** Starts or restarts the receiver; keeps a port that the system chose. @param named members just saved in the settings */
  start(named?: { readonly host?: string; readonly port?: number }): Promise<void>
  /** Moves the receiver after its settings changed. Changed members win over those that the run was started with. */
  changed(before: Settings['receiver'], after: Settings['receiver']): Promise<void>
}

export function createListening(receiver: Receiver, settings: SettingsStore, run: RunPlace = {}): Listening {
  let own: RunPlace = run
  const keep = (same: Record<keyof ListeningPlace, boolean>) => {
    const { host, port, tls } = own
    own = {
      ...(same.host && host !== undefined ? { host } : {}),
      ...(same.port && port !== undefined ? { port } : {}),
      ...(same.tls && tls !== undefined ? { tls } : {}),
    }
  }
  const start: Listening['start'] = async (named = {}) => {
    keep({ host: named.host === undefined, port: named.port === undefined, tls: true })
    if (receiver.state().state !== 'off') await receiver.stop()
    const { host, port, tls } = { ...settings.get().receiver, ...own }
    await receiver.start(host, port, tls)
    const state = receiver.state()
    if (own.port === 0 && state.state === 'listening') own = { ...own, port: state.port }
  }
  return {
    start,
    async changed(before, after) {
      const same = {
        host: after.host === before.host,
        port: after.port === before.port,
        tls: JSON.stringify(after.tls) === JSON.stringify(before.tls),
      }
      keep(same)
      if (!(same.host && same.port && same.tls) && receiver.state().state !== 'off') await start()
    },
  }
}
