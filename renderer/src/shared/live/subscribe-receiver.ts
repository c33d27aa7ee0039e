import { api } from './api.ts'

/** As the command line calls the subscription of the receiver (`serve --sandbox`), so that there is one of it. */
const NAME = 'Acuse receiver'

/**
 * Sees to it that the receiver is sent every kind: adds a subscription, or points the one of that name to where the receiver listens now.
 * @throws RefusalError
 */
export async function subscribeReceiver(url: string): Promise<void> {
  const { subscriptions } = await api.call('sandbox.subscriptions', {})
  if (subscriptions.some((one) => one.url === url && one.active)) return
  const mine = subscriptions.find(({ name }) => name === NAME)
  await api.call('sandbox.save-subscription', {
    ...(mine ? { id: mine.id } : {}),
    name: NAME,
    url,
    active: true,
  })
}
