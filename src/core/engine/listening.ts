import type { ReceiverTls, Settings } from '#contract/settings.ts'
import type { Receiver, SettingsStore } from '../ports.ts'

/** Where the receiver listens, and with which certificate; null speaks plain HTTP. */
interface ListeningPlace {
  readonly host: string
  readonly port: number
  readonly tls: ReceiverTls | null
}
/** What this run was started with in the place of the settings. Port 0 takes a free one. */
export type RunPlace = Partial<ListeningPlace>

interface Listening {
  /** Starts the receiver, or starts it anew; a port that the system chose is kept. @param named what the settings were just told */
  start(named?: { readonly host?: string; readonly port?: number }): Promise<void>
  /** The settings of the receiver were changed: what was changed holds, also over what the run was started with. Moves the receiver. */
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
