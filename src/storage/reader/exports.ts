import type { DeliveryDetail } from '#contract/delivery.ts'
import { refused } from '#contract/errors.ts'
import type { ExportSource } from '#contract/transfer.ts'
import { readFilter } from '#core/filter/read.ts'
import { asciiLower } from '#core/filter/values.ts'
import { decodeBody } from '../body/codings.ts'
import { isTooExpensive, readBody, unlessDamaged } from '../body/stored-body.ts'
import { type Statements, textOrNull } from '../sql/connection.ts'
import { highestId } from '../sql/numbers.ts'
import type { Reader } from './reader.ts'

const PAGE = 500
/** An item's id begins with the number of its sweep (schema/sweeps.ts). */
const SWEEP = 2 ** 32

export interface WholeDelivery {
  readonly detail: DeliveryDetail
  readonly body: Uint8Array
  readonly decoded: Uint8Array | null
}

/** Reads chosen deliveries whole, one at a time, for an export. */
export class Exports {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  /** Of a connection with all databases attached. */
  get statements(): Statements {
    this.#reader.attach()
    return this.#reader.statements
  }

  /** @returns how many deliveries there are; null when a slow filter would have to find them first @throws AcuseError `bad-filter`, `not-found` */
  async count(source: ExportSource): Promise<number | null> {
    if (source.type !== 'filter') return this.#listed(source).length
    const { total, ...rest } = await this.#reader['deliveries.summary']({ filter: source.filter })
    return 'searching' in rest && rest.searching ? null : total
  }

  /** Yields the deliveries stored now, in order of arrival. */
  async *deliveries(source: ExportSource): AsyncGenerator<WholeDelivery> {
    for await (const id of this.#ids(source)) {
      const found = this.whole(id)
      // It may have been deleted meanwhile.
      if (found) yield found
    }
  }

  whole(id: number): WholeDelivery | undefined {
    const detail = this.#reader.get(id)
    if (!detail) return undefined
    const { statements } = this.#reader
    const upload = textOrNull(statements.one`SELECT upload FROM delivery WHERE id = ${id}`?.upload)
    const body = unlessDamaged(() => readBody(statements, { id, upload }))
    if (body === null) return { detail, body: new Uint8Array(), decoded: null }
    if (detail.codings.length === 0) return { detail, body, decoded: body }
    const decoded = isTooExpensive(statements, id) ? null : decodeBody(body, detail.codings)
    return { detail, body, decoded: decoded && 'bytes' in decoded ? decoded.bytes : null }
  }

  async *#ids(source: ExportSource): AsyncGenerator<number> {
    if (source.type !== 'filter') {
      yield* this.#listed(source)
      return
    }
    const filter = readFilter(source.filter)
    // New arrivals must not keep the export running for ever.
    const last = highestId(this.#reader.statements)
    for (let after = 0; ; ) {
      const ids = await this.#reader.members(filter, after, PAGE)
      for (const id of ids) if (id <= last) yield id
      after = ids.at(-1) ?? last
      if (ids.length < PAGE || after >= last) return
    }
  }

  #listed(source: Exclude<ExportSource, { type: 'filter' }>): readonly number[] {
    const { statements } = this.#reader
    this.#reader.attach()
    switch (source.type) {
      case 'ids':
        return [...new Set(source.ids)].sort((a, b) => a - b)
      case 'document':
        return statements.numbers`SELECT delivery_id FROM analysis
          WHERE document_key = ${asciiLower(source.documentId)} ORDER BY 1`
      case 'job': {
        const ids = statements.numbers`SELECT DISTINCT delivery_id FROM attempt WHERE job = ${source.job} ORDER BY 1`
        if (ids.length === 0) throw refused('not-found', 'no-job', { id: source.job })
        return ids
      }
      case 'sweep': {
        const from = source.sweep * SWEEP
        const known = statements.has`SELECT 1 FROM pragma_database_list WHERE name = 'sweeps'`
        if (!known || !statements.has`SELECT 1 FROM sweeps.sweep WHERE id = ${source.sweep}`)
          throw refused('not-found', 'no-sweep', { id: source.sweep })
        return statements.numbers`SELECT DISTINCT a.delivery_id FROM sweeps.sweep_item i
          JOIN analysis a ON a.document_key IN (i.key, lower(i.document_id))
          WHERE i.id BETWEEN ${from} AND ${from + SWEEP - 1} ORDER BY 1`
      }
    }
  }
}
