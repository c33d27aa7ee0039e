import { KINDS } from '#catalog/kinds.ts'
import type { DocumentFamily } from '#catalog/service.ts'
import type { Params, Result } from '#contract/commands.ts'
import type { DeliveryRow } from '#contract/delivery.ts'
import type { DocumentEntry, DocumentGap } from '#contract/documents.ts'
import { AcuseError } from '#contract/errors.ts'
import { VERDICTS } from '#contract/values.ts'
import { lifeOf } from '#core/documents/life.ts'
import { familyOfKind } from '#core/reconcile/family.ts'
import { chance } from './chance.ts'

const PARTIES = [
  'Ferretería El Progreso, SRL',
  'Colmado La Fe',
  'Constructora Duarte & Asociados',
  'Papelería Sol, EIRL',
  'Inversiones Peña Vargas',
]
const START = Date.UTC(2026, 10, 2, 13)
const STATUSES = [5, 5, 5, 7, 6]

/** Documents that never change, by index: a few lives that repeat with other names. */
export class FakeDocuments {
  count: number
  readonly #attempts = 2

  constructor(count: number) {
    this.count = count
  }

  page({ query, gaps, sort, from, limit }: Params<'documents.page'>): Result<'documents.page'> {
    const words = query.toLowerCase()
    if (words.startsWith('endpoint:'))
      throw new AcuseError(
        'bad-filter',
        'endpoint: asks about single deliveries; documents can be filtered by kind: and words.',
        { field: 'endpoint', problem: 'not-for-documents', fields: 'kind:', marks: 'late' },
      )
    const all = Array.from({ length: this.count }, (_, index) => this.#entry(index)).filter(
      (entry) =>
        (!gaps || entry.gaps.some((gap) => gaps.includes(gap))) &&
        `${entry.number} ${entry.party} ${entry.key}`.toLowerCase().includes(words),
    )
    const by = {
      last: ({ lastAt }: DocumentEntry) => lastAt,
      first: ({ firstAt }: DocumentEntry) => firstAt,
      kind: ({ family }: DocumentEntry) => family,
      number: ({ number }: DocumentEntry) => number ?? '~',
      party: ({ party }: DocumentEntry) => party ?? '~',
      total: ({ total }: DocumentEntry) => Number(total ?? 0),
      status: ({ statusId }: DocumentEntry) => statusId ?? 0,
      events: ({ events }: DocumentEntry) => events,
      gaps: ({ gaps: some }: DocumentEntry) => some.length,
    }[sort.by]
    all.sort((a, b) => (by(a) < by(b) ? -1 : by(a) > by(b) ? 1 : 0) * (sort.descending ? -1 : 1))
    return { entries: all.slice(from, from + limit), from, total: all.length }
  }

  life(key: string): Result<'documents.get'> {
    const index = Number.parseInt(key.slice(-6), 16)
    if (!(index < this.count)) return null
    const entry = this.#entry(index)
    const steps = this.#kinds(index).map((kind, place) => {
      const instant = entry.firstAt + place * 4_000_000 + (place > 1 ? 86_400_000_000 : 0)
      const row = this.#row(entry, index * 5 + place + 1, kind, instant, place)
      const telling = !kind.startsWith('dgii.') && !kind.endsWith('.anulated')
      const facts = {
        issuedAt: telling ? entry.firstAt : null,
        documentType: telling ? 31 : null,
        number: telling ? entry.number : null,
        party: kind.endsWith('.created') ? entry.party : null,
        total:
          telling && entry.total !== null
            ? kind.endsWith('.updated')
              ? entry.total
              : (Number(entry.total) - 350.25).toFixed(2)
            : null,
        currency: telling ? entry.currency : null,
        modifies: null,
      }
      return { row, instant, facts }
    })
    return { entry, steps: lifeOf(steps), more: 0 }
  }

  #family(index: number): DocumentFamily {
    const dice = chance(5, index, 1)
    return dice < 0.72 ? 'invoice' : dice < 0.84 ? 'expense' : dice < 0.94 ? 'credit-note' : 'debit-note'
  }

  #kinds(index: number): readonly string[] {
    const family = this.#family(index)
    const prefix = {
      invoice: 'factura',
      'credit-note': 'nota_credito',
      'debit-note': 'nota_debito',
      expense: 'gasto',
    }[family]
    const odd = chance(5, index, 2)
    if (odd < 0.08) return family === 'invoice' ? ['dgii.aprobado'] : [`${prefix}.updated`]
    const kinds =
      odd < 0.12 && family === 'invoice' ? ['dgii.en_proceso', `${prefix}.created`] : [`${prefix}.created`]
    if (family === 'invoice')
      kinds.push(['dgii.aprobado', 'dgii.rechazado'][chance(5, index, 3) < 0.9 ? 0 : 1] ?? '')
    if (chance(5, index, 4) < 0.3) kinds.push(`${prefix}.updated`)
    if (chance(5, index, 6) < 0.05) kinds.push(`${prefix}.anulated`)
    return kinds
  }

  #entry(index: number): DocumentEntry {
    const family = this.#family(index)
    const kinds = this.#kinds(index)
    const created = kinds.findIndex((kind) => kind.endsWith('.created'))
    const firstAt = (START + index * 421_000) * 1_000
    const last = kinds.at(-1) ?? ''
    const gaps: DocumentGap[] = created < 0 ? ['no-created'] : created > 0 ? ['status-before-created'] : []
    const known = created >= 0
    return {
      key: `7d3f2b1c-0000-4000-8000-${index.toString(16).padStart(12, '0')}`,
      documentId: `7D3F2B1C-0000-4000-8000-${index.toString(16).padStart(12, '0')}`,
      family,
      number: known
        ? `${family === 'expense' ? 'E43' : 'E31'}${String(4_000 + index).padStart(10, '0')}`
        : null,
      party: known ? (PARTIES[Math.floor(chance(5, index, 7) * PARTIES.length)] ?? null) : null,
      total: known ? `${400 + Math.floor(chance(5, index, 8) ** 3 * 900_000)}.50` : null,
      currency: known ? 'DOP' : null,
      statusId: last.startsWith('dgii.')
        ? (STATUSES[last === 'dgii.rechazado' ? 4 : 0] ?? null)
        : known
          ? 7
          : null,
      lastKind: KINDS.find(({ kind }) => kind === last)?.kind ?? 'factura.created',
      events: kinds.length,
      recovered: 0,
      firstAt,
      lastAt: firstAt + (kinds.length - 1) * 4_000_000 + (kinds.length > 2 ? 86_400_000_000 : 0),
      gaps,
      verdict: VERDICTS[chance(5, index, 9) < 0.9 ? 0 : chance(5, index, 10) < 0.5 ? 2 : 3] ?? 'valid',
    }
  }

  #row(entry: DocumentEntry, id: number, event: string, instant: number, place: number): DeliveryRow {
    const spec = KINDS.find(({ kind }) => kind === event)
    const family = spec && familyOfKind(spec.kind)
    return {
      id,
      receivedAt: instant + 310_000,
      endpoint: 'default',
      method: 'POST',
      url: '/',
      size: 2_100,
      answer: 200,
      tookUs: 3_100,
      rejected: false,
      malformed: null,
      event,
      kind: spec?.kind ?? null,
      group: spec?.group ?? null,
      documentId: family ? entry.documentId : null,
      number: entry.number,
      statusId: spec?.statusId ?? (event.endsWith('.created') ? 7 : null),
      timestamp: new Date(instant / 1_000).toISOString(),
      verdict: place === 0 ? entry.verdict : 'valid',
      findings: 0,
      marks: [],
      attempts: place === 0 ? this.#attempts : 0,
      note: false,
      tags: [],
    }
  }
}
