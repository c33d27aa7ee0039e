import { KINDS, type Kind } from '#catalog/kinds.ts'

export type MixName = 'usual' | 'invoices' | 'even'

const weights = (weigh: (kind: (typeof KINDS)[number]) => number): Partial<Record<Kind, number>> =>
  Object.fromEntries(KINDS.map((spec) => [spec.kind, weigh(spec)]).filter(([, weight]) => weight !== 0))

/** Weights of the kinds; `usual` leaves them to the sandbox, whose usual mix it is. */
export const MIXES: Readonly<Record<MixName, Partial<Record<Kind, number>> | null>> = {
  usual: null,
  invoices: weights(({ kind, group }) =>
    group === 'dgii' ? 10 : kind === 'factura.created' ? 50 : group === 'invoices' ? 5 : 0,
  ),
  even: weights(() => 1),
}
