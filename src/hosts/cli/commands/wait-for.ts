import { InvalidArgumentError } from 'commander'
import { z } from 'zod'
import type { DeliveryRow } from '#contract/delivery.ts'
import { type Followed, type Waited, waitForDeliveries } from '#core/engine/wait-for.ts'
import { readFilter } from '#core/filter/read.ts'
import { argument, command, preset } from '../shared/command.ts'
import { EXIT } from '../shared/failures.ts'
import { namedFilter } from '../shared/reach.ts'
import { eventRecord } from '../shared/records.ts'
import { number, painter } from '../shared/text.ts'
import { EventTable } from './events.ts'

function sinceFrom(text: string): number | 'now' {
  if (text === 'now') return 'now'
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give "now", or the id of a delivery as "acuse events" prints it.')
}

const OPTIONS = {
  count: preset('<n>', 'how many deliveries must match', z.int().min(1).max(100_000), 1),
  timeout: preset('<seconds>', 'longest wait; 0 looks once', z.number().min(0).max(86_400), 30),
  since: preset<number | 'now'>(
    '<id>',
    'only deliveries after this id, or "now": only those from now on; without it all stored ones count',
    sinceFrom,
    0,
    'all',
  ),
}

/** Deliveries that the time-out lists; more would hide the sentence. */
const SHOWN = 20
const COLUMNS = 110

export const waitFor = command({
  name: 'wait-for',
  about:
    'Wait until deliveries match a filter, then print them, one JSON object per line. They may have arrived before: start the wait after the trigger. Exit code 1 on a time-out, with what arrived instead on stderr.',
  args: {
    filter: argument(
      '<filter>',
      'selects the deliveries (as in the window); one that starts with "-" goes last, after "--"',
    ),
  },
  options: OPTIONS,
  json: 'on a time-out, print {"matched": […], "instead": […]}',
  examples: [
    ['acuse wait-for kind:factura.created', 'one invoice, captured already or within 30 s'],
    ['acuse wait-for "kind:dgii.* verdict:valid" --count 3 --timeout 60', 'three of them'],
    ['acuse wait-for attempt:ok --since 41', 'a delivery after 41 that your handler accepted'],
  ],
  async run({ filter: typed, count, timeout, since }, cli) {
    if (!typed.startsWith('@')) readFilter(typed)
    await cli.running(async (reached) => {
      const filter = await namedFilter(reached, typed)
      const waited = await waitForDeliveries(reached, { filter, count, since, timeoutMs: timeout * 1_000 })
      const { rows, timedOut } = waited
      if (!timedOut) return cli.terminal.print(lines(rows))
      const instead = await others(reached, waited)
      cli.exitWith(EXIT.found)
      cli.terminal.say(
        `Timed out after ${timeout} s: ${number(rows.length)} of ${number(count)} matched. ${insteadText(instead)}`,
      )
      if (cli.json) await cli.print({ matched: rows.map(eventRecord), instead: instead.map(eventRecord) }, '')
    })
  },
})

const lines = (rows: readonly DeliveryRow[]): string =>
  rows.map((row) => `${JSON.stringify(eventRecord(row))}\n`).join('')

/** @returns the latest deliveries that count and did not match, the oldest first */
async function others({ call }: Followed, { rows: matched, after }: Waited): Promise<readonly DeliveryRow[]> {
  const known = new Set(matched.map(({ id }) => id))
  const found: DeliveryRow[] = []
  for (let before: number | null = null; found.length < SHOWN; ) {
    const { rows }: { rows: readonly DeliveryRow[] } = await call('deliveries.scan', {
      filter: '',
      after: before,
      limit: 1_000,
      newest: true,
    })
    const counting = rows.filter(({ id }) => id > after)
    found.push(...counting.filter(({ id }) => !known.has(id)))
    if (counting.length < 1_000) break
    before = rows.at(-1)?.id ?? null
  }
  return found.slice(0, SHOWN).toReversed()
}

function insteadText(instead: readonly DeliveryRow[]): string {
  if (instead.length === 0) return 'No other delivery arrived.'
  const table = new EventTable(COLUMNS, painter(false))
  const which = instead.length === SHOWN ? `The latest ${SHOWN} that arrived instead:` : 'Arrived instead:'
  return [`${which}\n`, table.head(), ...instead.map((row) => table.row(row))].join('').trimEnd()
}
