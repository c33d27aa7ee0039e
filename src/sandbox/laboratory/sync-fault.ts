import { setTimeout as sleep } from 'node:timers/promises'
import type { Response } from 'express'
import { Refusal } from '../http/refusal.ts'
import { chance } from './chance.ts'
import type { Laboratory } from './settings.ts'

/** What the laboratory does to the calls of the sync routes, one after the other. */
export class SyncFaults {
  readonly #laboratory: () => Laboratory
  #calls = 0

  constructor(laboratory: () => Laboratory) {
    this.#laboratory = laboratory
  }

  /**
   * Sends a page, or what the laboratory makes of it.
   * @param page the answer's JSON
   * @throws Refusal 500 or 429 instead of the page
   */
  async send(response: Response, page: () => string): Promise<void> {
    const { seed, sync } = this.#laboratory()
    this.#calls += 1
    const befallen = sync.fault !== 'none' && chance(seed, 'sync', this.#calls) < sync.share
    if (befallen && sync.fault === 'error-500')
      throw new Refusal(500, 'laboratory', 'The laboratory answers 500.')
    if (befallen && sync.fault === 'error-429')
      throw new Refusal(429, 'laboratory', 'The laboratory answers 429.', {
        'Retry-After': String(sync.retryAfterSeconds),
      })
    if (befallen && sync.fault === 'slow') await sleep(sync.slowMs, undefined, { ref: false })
    const text = page()
    response
      .type('json')
      .send(befallen && sync.fault === 'truncated' ? text.slice(0, text.length >> 1) : text)
  }
}
