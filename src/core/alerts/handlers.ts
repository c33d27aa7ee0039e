import type { HandlersOf } from '#contract/commands.ts'
import type { Settings } from '#contract/settings.ts'
import { demandSending, type Feed } from '../threads.ts'
import type { Alerts } from './alerts.ts'

/** @param alerts null in a host that sends nothing */
export function alertHandlers(
  alerts: Alerts | null,
  announce: (changed: Promise<Settings>) => Promise<Settings>,
): HandlersOf<`alerts.${string}`> {
  const there = () => demandSending(alerts)
  return {
    'alerts.save': async (params) => announce(there().save(params)),
    'alerts.remove': async ({ name }) => announce(there().remove(name)),
    'alerts.list': async () => ({ alerts: there().list() }),
    'alerts.test': async ({ name }) => there().test(name),
  }
}

export function pushAlerts(alerts: Alerts, feed: Feed & { statusChanged(): void }): void {
  let failing = ''
  alerts.onChange(() => {
    if (feed.heard) feed.send('alerts.changed', { alerts: alerts.list() })
    const now = alerts.failing().join()
    if (now !== failing) feed.statusChanged()
    failing = now
  })
}
