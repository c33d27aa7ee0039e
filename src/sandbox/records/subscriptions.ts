import type { DatabaseSync } from 'node:sqlite'
import type { Subscription, SubscriptionSettings } from '../dispatch/subscription.ts'

/** The workspace's subscriptions; ids are never reused, so that the log stays unambiguous. */
export class Subscriptions {
  readonly #db: DatabaseSync
  #list: readonly Subscription[]

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#list = db
      .prepare('SELECT id, settings FROM subscriptions ORDER BY id')
      .all()
      .map(({ id, settings }) => ({
        id: Number(id),
        ...(JSON.parse(String(settings)) as SubscriptionSettings),
      }))
  }

  list(): readonly Subscription[] {
    return this.#list
  }

  get(id: number): Subscription | undefined {
    return this.#list.find((one) => one.id === id)
  }

  add(settings: SubscriptionSettings): Subscription {
    const added = this.#db
      .prepare('INSERT INTO subscriptions (settings) VALUES (?)')
      .run(JSON.stringify(settings))
    const subscription = { id: Number(added.lastInsertRowid), ...settings }
    this.#list = [...this.#list, subscription]
    return subscription
  }

  replace(id: number, settings: SubscriptionSettings): Subscription {
    this.#db.prepare('UPDATE subscriptions SET settings = ? WHERE id = ?').run(JSON.stringify(settings), id)
    const subscription = { id, ...settings }
    this.#list = this.#list.map((one) => (one.id === id ? subscription : one))
    return subscription
  }

  remove(id: number): void {
    this.#db.prepare('DELETE FROM subscriptions WHERE id = ?').run(id)
    this.#list = this.#list.filter((one) => one.id !== id)
  }
}
