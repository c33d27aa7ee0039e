import { KINDS, type Kind } from '#catalog/kinds.ts'
import type { PartyData } from '#sandbox/data/parties.ts'
import type { Random } from '#sandbox/data/random.ts'

export interface Party extends PartyData {
  readonly id: string
}

/** One event of something's life. */
export interface Step {
  readonly kind: Kind
  readonly id: string
  readonly number: string
  readonly party: Party
  readonly statusId: number
}

/** First events of documents, how often, and the sequence of their numbers. */
const FIRST = ['factura.created', 58, 'E31'] as const
const BEGINNINGS: readonly (readonly [Kind, number, string])[] = [
  FIRST,
  ['gasto.created', 24, 'B01'],
  ['cotizacion.created', 6, 'COT'],
  ['nota_credito.created', 8, 'E34'],
  ['nota_debito.created', 4, 'E33'],
]

const SHARES = BEGINNINGS.map(([, share]) => share)
const OTHERS = KINDS.filter(({ group }) => group === 'contacts' || group === 'catalog').map(
  ({ kind }) => kind,
)

/** What may follow what, and how many times in a hundred; where it adds up to less, a life may end there. */
const FOLLOWERS: Readonly<Partial<Record<Kind, readonly (readonly [Kind, number])[]>>> = {
  'factura.created': [
    ['factura.updated', 30],
    ['dgii.en_proceso', 30],
    ['dgii.aprobado', 26],
    ['dgii.rechazado', 4],
    ['dgii.aceptado_condicional', 3],
    ['factura.anulated', 3],
  ],
  'factura.updated': [
    ['dgii.aprobado', 60],
    ['dgii.rechazado', 4],
    ['factura.updated', 8],
    ['factura.anulated', 4],
  ],
  'dgii.en_proceso': [
    ['dgii.aprobado', 88],
    ['dgii.rechazado', 6],
    ['dgii.aceptado_condicional', 4],
  ],
  'dgii.aprobado': [['factura.anulated', 2]],
  'gasto.created': [
    ['gasto.updated', 45],
    ['gasto.anulated', 5],
  ],
  'cotizacion.created': [
    ['cotizacion.updated', 50],
    ['cotizacion.anulated', 10],
  ],
  'nota_credito.created': [
    ['nota_credito.updated', 20],
    ['nota_credito.anulated', 5],
  ],
  'nota_debito.created': [
    ['nota_debito.updated', 20],
    ['nota_debito.anulated', 5],
  ],
}

/** Version 4 in form. */
export function aUuid(random: Random): string {
  const word = () =>
    random
      .int(0, 2 ** 32 - 1)
      .toString(16)
      .padStart(8, '0')
  const [a, b, c, d] = [word(), word(), word(), word()]
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-8${c.slice(1, 4)}-${c.slice(4)}${d}`
}

/** The first event of something new. @param serial rises with each of them */
export function nextLife(
  random: Random,
  what: 'document' | 'other',
  parties: readonly Party[],
  serial: number,
): Step {
  const [kind, , sequence] = BEGINNINGS[random.weighted(SHARES)] ?? FIRST
  return {
    kind: what === 'document' ? kind : random.pick(OTHERS),
    id: aUuid(random),
    number: `${sequence}${String(serial).padStart(10, '0')}`,
    party: random.pick(parties),
    statusId: 1,
  }
}

/** What follows an event, if anything does. */
export function stepOf(random: Random, step: Step): Step | undefined {
  const followers = FOLLOWERS[step.kind] ?? []
  let left = random.int(0, 99)
  for (const [kind, share] of followers) {
    if (left < share) return { ...step, kind, statusId: kind.endsWith('.anulated') ? 8 : 2 }
    left -= share
  }
  return undefined
}
