import { InvalidArgumentError } from 'commander'
import { z } from 'zod'
import type { RetentionOutcome, RetentionParams } from '#contract/delivery.ts'
import { rangeOf } from '#core/filter/spans.ts'
import { command, flag, option, type Values } from '../shared/command.ts'
import { wrongUsage } from '../shared/failures.ts'
import type { Reached } from '../shared/reach.ts'
import { local, utc } from '../shared/records.ts'
import { number } from '../shared/text.ts'
import { lengthOf } from './faults.ts'

function ageFrom(text: string): number {
  const age = lengthOf(text) ?? 0
  if (age > 0) return age
  throw new InvalidArgumentError('Give a length of time such as 30d, 12h or 90m.')
}

function bytesFrom(text: string): number {
  const range = /^[\d.]+[a-z]*$/i.test(text) ? rangeOf('size', text) : undefined
  if (range && range !== 'reversed' && range.from !== null) return range.from
  throw new InvalidArgumentError('Give a size such as 2gb, 500mb or 1000000.')
}

const OPTIONS = {
  olderThan: option('<age>', 'those that arrived longer ago: 30d, 12h, 90m', ageFrom),
  keep: option('<n>', 'all but the newest n', z.int().min(0).max(1_000_000_000)),
  maxBytes: option('<size>', 'the oldest, until the store takes at most this: 2gb, 500mb', bytesFrom),
  dryRun: flag('delete nothing; print what would be deleted'),
}

export const prune = command({
  name: 'prune',
  about:
    'Delete old deliveries for good, and empty the trash. Pinned deliveries stay. Give one of --older-than, --keep and --max-bytes.',
  options: OPTIONS,
  json: 'print what was (or would be) deleted as one JSON object',
  examples: [
    ['acuse prune --older-than 30d --dry-run', 'what a month leaves'],
    ['acuse prune --keep 100000', 'the newest hundred thousand stay'],
    ['acuse prune --max-bytes 2gb', 'make room on the disk'],
  ],
  async run(given, cli) {
    const { olderThan, keep, maxBytes, dryRun } = given
    if ([olderThan, keep, maxBytes].filter((one) => one !== undefined).length !== 1)
      throw wrongUsage('Give exactly one of --older-than, --keep and --max-bytes.')
    await cli.existing(async ({ call }) => {
      const outcome = await carryOut(call, given)
      const { oldest, newest, ...sums } = outcome
      const record = { dryRun, ...sums, oldest: oldest && utc(oldest), newest: newest && utc(newest) }
      await cli.print(record, `${sentence(outcome, dryRun)}\n`)
    })
  },
})

/** Frees the trash before it touches other deliveries, as the disk budget does. */
async function carryOut(call: Reached['call'], given: Values<typeof OPTIONS>): Promise<RetentionOutcome> {
  const { olderThan, keep, maxBytes, dryRun } = given
  const apply = (rule: RetentionParams) => call(dryRun ? 'retention.preview' : 'retention.apply', rule)
  if (olderThan !== undefined) return apply({ before: Math.max(0, Date.now() - olderThan) })
  if (keep !== undefined) return apply({ keepNewest: keep })
  const { disk, counts } = await call('status.get', {})
  const excess = disk.usedBytes - (maxBytes ?? 0)
  if (excess > disk.trashBytes) return apply({ freeBytes: excess - disk.trashBytes })
  const trash =
    excess <= 0
      ? { deliveries: 0, bytes: 0 }
      : dryRun
        ? { deliveries: counts.trashed, bytes: disk.trashBytes }
        : await call('trash.empty', {})
  return { deliveries: 0, bytes: 0, pinnedExempt: 0, oldest: null, newest: null, trash }
}

function sentence(
  { deliveries, bytes, pinnedExempt, oldest, newest, trash }: RetentionOutcome,
  dry: boolean,
) {
  const done = dry ? 'would be deleted' : 'deleted'
  const span = oldest === null || newest === null ? '' : `, received ${local(oldest)} to ${local(newest)}`
  return [
    `Deliveries ${done}: ${number(deliveries)} (${number(bytes)} bytes${span}).`,
    ...(trash.deliveries > 0
      ? [`In the trash ${done}: ${number(trash.deliveries)} (${number(trash.bytes)} bytes).`]
      : []),
    ...(pinnedExempt > 0 ? [`Pinned, so kept: ${number(pinnedExempt)}.`] : []),
  ].join('\n')
}
