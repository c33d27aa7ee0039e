import type { CommandName, Params, Result } from '#contract/commands.ts'
import type { Push } from '#contract/pushes.ts'
import type { Platform } from '@/shared/platform/types.ts'

let platform: Platform | undefined

/** Called once, by the entry file, before anything is drawn. */
export function attach(host: Platform): void {
  platform = host
}

/** @throws Error when no entry file has attached a host: a defect, never a state of the running window */
export function host(): Platform {
  if (!platform) throw new Error('no host attached')
  return platform
}

/** Subscribes to pushes, and calls `again` after a reconnection, since pushes were missed. @returns ends both */
export function hear(take: (push: Push) => void, again: () => void): () => void {
  let lost = false
  const pushes = host().onPush(take)
  const connections = host().onConnection((state) => {
    if (state === 'open' && lost) again()
    lost = state === 'lost'
  })
  return () => {
    pushes()
    connections()
  }
}

/** The host's interface for views and stores: `await api.call('deliveries.get', { id })`. */
export const api = {
  /** @throws RefusalError; read it with `refusalOf` */
  call<C extends CommandName>(command: C, params: Params<C>): Promise<Result<C>> {
    return host().call(command, params)
  },
  copy(text: string): Promise<void> {
    return host().copy(text)
  },
}
