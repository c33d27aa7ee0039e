import type { Params } from '#contract/commands.ts'
import type { ItemMapping } from '#contract/connection.ts'
import { AcuseError } from '#contract/errors.ts'
import type { ConnectionTest, PublishAnswer, SyncRoute } from '#contract/reconcile.ts'
import type { ResolvedConnection } from '../connections.ts'
import { sourceOf } from '../json/read.ts'
import { joinMappings, mappingOf } from '../reconcile/item.ts'
import type { SyncPage, SyncQuery } from '../reconcile/sync-source.ts'
import { zonedText } from '../time/zone.ts'
import type { ReconcilePorts } from './runner-ports.ts'
import { keyOf } from './sweeps.ts'

const SAMPLE_CHARACTERS = 20_000
/** How far back one item is asked for. */
const DAYS = 31

interface CheckPorts extends Pick<ReconcilePorts, 'source' | 'publisher' | 'clock'> {
  connection(name: string): ResolvedConnection
}

/** Single requests to a connection: one that shows whether it works, and an event of a plugin. */
export class ConnectionCheck {
  readonly #ports: CheckPorts

  constructor(ports: CheckPorts) {
    this.#ports = ports
  }

  /** Asks for one item of the last month; whatever the service answers is a result. */
  async test(name: string, route: SyncRoute): Promise<ConnectionTest> {
    const connection = this.#ports.connection(name)
    const apiKey = keyOf(connection)
    const answer = await this.#ports
      .source(connection, apiKey)
      .page(this.#query(route, connection), new AbortController().signal)
    if ('cancelled' in answer) throw new AcuseError('not-available', 'Acuse is closing.')
    if ('failure' in answer) {
      const { problem, status, body } = answer.failure
      return { ok: false, status, message: problem.message, items: null, mapping: null, sample: body }
    }
    const { page, status } = answer
    const [first] = page.items
    const mapping = mappingOfPage(page, connection.mapping)
    return {
      ...{ ok: true, status, mapping, items: page.items.length },
      message: sentence(route, page, mapping),
      sample:
        first === undefined
          ? null
          : sourceOf(page.tree, first).slice(0, SAMPLE_CHARACTERS).toWellFormed().replaceAll(apiKey, '***'),
    }
  }

  async publish({ connection: name, eventType, data }: Params<'plugins.publish'>): Promise<PublishAnswer> {
    const connection = this.#ports.connection(name)
    const token = connection.secrets.pluginToken
    if (token === null)
      throw new AcuseError(
        'bad-params',
        `The connection "${name}" has no plugin token; give it one, or set ACUSE_PLUGIN_TOKEN in the environment of Acuse.`,
        { path: 'pluginToken' },
      )
    const { headers, ...published } = await this.#ports
      .publisher(connection, token)
      .publish({ eventType, data: data ?? null })
    const pairs: PublishAnswer['headers'][number][] = []
    for (let i = 0; i + 1 < headers.length; i += 2)
      pairs.push({ name: headers[i] ?? '', value: headers[i + 1] ?? '', masked: false })
    return { ...published, headers: pairs }
  }

  #query(route: SyncRoute, { zone }: ResolvedConnection): SyncQuery {
    const now = Math.floor(this.#ports.clock.now()) * 1_000
    const needsRange = route === 'accounting'
    return {
      ...{ route, afterDocumentId: null, documentTypeId: null, pageSize: 1 },
      from: needsRange ? zonedText(zone, now - DAYS * 86_400_000_000) : null,
      to: needsRange ? zonedText(zone, now) : null,
    }
  }
}

function mappingOfPage(
  { tree, items }: SyncPage,
  corrections: Partial<ItemMapping> | null,
): ItemMapping | null {
  let mapping: ItemMapping | null = null
  for (const item of items.slice(0, 20)) mapping = joinMappings(mapping, mappingOf(tree, item, corrections))
  return mapping
}

const WORDS: Readonly<Record<keyof ItemMapping, string>> = {
  documentId: 'document id',
  number: 'Number',
  issuedAt: 'issue date',
  documentType: 'document type',
  status: 'status',
  voided: 'voiding',
  accounting: 'accounting projection',
}

function sentence(route: SyncRoute, { items }: SyncPage, mapping: ItemMapping | null): string {
  if (!mapping || items.length === 0)
    return route === 'accounting'
      ? `The service accepts the key. It lists no document issued in the last ${DAYS} days, so the shape of its items is not known yet.`
      : 'The service accepts the key. It lists no debt, so the shape of its items is not known yet.'
  const lacking = (Object.keys(WORDS) as (keyof ItemMapping)[]).filter((field) => mapping[field] === null)
  const came = `The service accepts the key, and an item came.`
  if (lacking.length === 0) return `${came} All that a comparison needs was found in it.`
  const joins = mapping.documentId !== null || mapping.number !== null
  const advice = joins
    ? 'Rules that need it cannot tell; correct the mapping if it stands under another name.'
    : 'Without a document id or a Number nothing can be compared: correct the mapping.'
  return `${came} Not found in it: ${lacking.map((field) => WORDS[field]).join(', ')}. ${advice}`
}
