import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import { AcuseError } from '#contract/errors.ts'
import type { SweepRange } from '#contract/reconcile.ts'
import { resolveRange } from '#core/reconcile/range.ts'
import { wrongUsage } from './failures.ts'
import { type ReconcileOptions, routesOf } from './reconcile-options.ts'
import { visible } from './visible.ts'

/**
 * The ranges of a run, one for each route, with both ends as they are sent.
 * @param zone of the connection
 * @throws CommandFailure naming the option that is wrong
 */
export const rangesOf = (options: ReconcileOptions, zone: string): readonly SweepRange[] =>
  inWords(() =>
    routesOf(options).map((route) =>
      resolveRange(
        {
          route,
          from: options.from ?? null,
          to: options.to ?? null,
          documentTypeId: options.documentTypeId ?? null,
          pageSize: options.pageSize,
        },
        zone,
      ),
    ),
  )

/** @throws CommandFailure for a date that is none in any zone, so that it is told before anything is opened */
export function checkDates(options: ReconcileOptions): void {
  // What comes first depends on the zone only where the connection has one of its own.
  if (options.connection === undefined) rangesOf(options, DEFAULT_CONNECTION.zone)
  const only = { route: 'treasury', documentTypeId: null, pageSize: options.pageSize } as const
  inWords(() => {
    for (const ends of [
      { from: options.from ?? null, to: null },
      { from: null, to: options.to ?? null },
    ])
      resolveRange({ ...only, ...ends }, DEFAULT_CONNECTION.zone)
  })
}

/** The refusal names the member of the range; whoever typed knows its option. */
function inWords<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof AcuseError)) throw error
    throw wrongUsage(
      visible(
        error.message.replace(/^range\.(\w+)/, (_, name) => `--${name === 'pageSize' ? 'page-size' : name}`),
      ),
    )
  }
}
