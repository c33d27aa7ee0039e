import { ACCOUNTING_FIELDS, LINE_FIELDS } from '#catalog/fields.ts'
import { KINDS, type Kind } from '#catalog/kinds.ts'
import { chance, pick } from './chance.ts'

const COMMON: readonly [Kind, ...Kind[]] = [
  'factura.created',
  'factura.created',
  'factura.created',
  'dgii.aprobado',
  'dgii.aprobado',
  'dgii.en_proceso',
  'nota_credito.created',
  'gasto.created',
]
const NAMES = [
  'Ferretería El Progreso, SRL',
  'Colmado La Fe',
  'Grupo Médico Naco',
  'Café <b>Santo</b> & Cía',
] as const
export type Defect = 'none' | 'extra' | 'zulu' | 'braces' | 'cut'

/** Mostly what a busy account sends; every thirteenth one walks through all 28. */
export function kindAt(seed: number, index: number): Kind {
  const spec = KINDS[Math.floor(index / 13) % KINDS.length]
  return index % 13 === 0 && spec ? spec.kind : pick(COMMON, chance(seed, index, 1))
}

export function defectAt(seed: number, index: number): Defect {
  const at = chance(seed, index, 2)
  if (at < 0.025) return 'braces'
  if (at < 0.06) return 'zulu'
  if (at < 0.12) return 'extra'
  return at < 0.126 ? 'cut' : 'none'
}

function uuid(seed: number, index: number): string {
  const hex = (salt: number, length: number) =>
    Math.floor(chance(seed, index, salt) * 16 ** length)
      .toString(16)
      .padStart(length, '0')
  return `${hex(3, 8)}-${hex(4, 4)}-4${hex(5, 3)}-a${hex(6, 3)}-${hex(7, 6)}${hex(8, 6)}`
}

function sampleOf(name: string, seed: number, index: number): unknown {
  const amount = Math.round(chance(seed, index, 9) * 9_000_000) / 100
  switch (name) {
    case 'DocumentId':
      return uuid(seed, index)
    case 'StatusId':
      return 3
    case 'Number':
      return `E31${String(Math.floor(chance(seed, index, 10) * 9_999_999)).padStart(10, '0')}`
    case 'Lines':
      return [0, 1].map((line) =>
        Object.fromEntries([...LINE_FIELDS.keys()].map((n) => [n, sampleOf(n, seed, index + line)])),
      )
    case 'Accounting':
      return Object.fromEntries([...ACCOUNTING_FIELDS.keys()].map((n) => [n, sampleOf(n, seed, index)]))
    case 'CustomerName':
    case 'SupplierName':
    case 'LegalName':
      return pick(NAMES, chance(seed, index, 11))
    default:
      return /Amount|Total|Price|Due|Tax$/.test(name) ? amount : `${name} ${index % 97}`
  }
}

/** Local wall clock with its offset, as the service writes it. */
const localAt = (at: number): string => `${new Date(at - 4 * 3_600_000).toISOString().slice(0, 19)}-04:00`

function dataOf(kind: Kind, seed: number, index: number): Record<string, unknown> {
  const spec = KINDS.find((k) => k.kind === kind)
  const fields = (spec?.fields ?? []).map((name) => [name, sampleOf(name, seed, index)])
  return { ...Object.fromEntries(fields), ...(spec?.statusId ? { StatusId: spec.statusId } : {}) }
}

/** A body of a kind with nothing wrong, over several lines. @param at milliseconds since the epoch */
export function wholeBodyOf(kind: Kind, seed: number, at: number): string {
  return JSON.stringify({ Event: kind, Timestamp: localAt(at), data: dataOf(kind, seed, 1) }, null, 2)
}

/** A body as it comes to a receiver, now and then with a defect planted. @param at milliseconds since the epoch */
export function bodyOf(seed: number, index: number, at: number): string {
  const kind = kindAt(seed, index)
  const defect = defectAt(seed, index)
  const local = localAt(at)
  const data = dataOf(kind, seed, index)
  const [identity = 'DocumentId'] = Object.keys(data)
  if (defect === 'braces') data[identity] = `{${uuid(seed, index)}}`
  if (defect === 'extra') data.Sucursal = 'SD-02'
  const timestamp = defect === 'zulu' ? local.replace('-04:00', 'Z') : local
  const text = JSON.stringify({ Event: kind, Timestamp: timestamp, data })
  return defect === 'cut' ? text.slice(0, Math.floor(text.length * 0.6)) : text
}
