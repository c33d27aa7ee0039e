import { type Command, InvalidArgumentError, Option } from 'commander'
import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import type { JobOptions, ReplaySource } from '#contract/replay.ts'
import { destinationFrom } from './destination.ts'
import { wrongUsage } from './failures.ts'
import { gathered, headerOf } from './header-option.ts'
import { type CommonOptions, wholeNumber } from './options.ts'
import { visible } from './text.ts'

export interface ReplayOptions extends CommonOptions {
  readonly filter?: string
  readonly id?: readonly number[]
  readonly document?: string
  readonly to: string
  readonly header?: readonly string[]
  readonly rate?: number
  readonly concurrency: number
  readonly order: JobOptions['order']
  readonly keepGaps?: number
  readonly stopAfter?: number
  readonly retries: number
  readonly retryDelay: number
  readonly failOn?: readonly string[]
  readonly include?: JobOptions['include']
  readonly dryRun?: boolean
}

const MOST_IDS = 100_000
const INCLUDABLE = ['rejected', 'replay'] as const

/** Gives a command what says which deliveries, where to, and by which rules. */
export function withReplayOptions(command: Command): Command {
  const { concurrency, retry } = DEFAULT_JOB_OPTIONS
  return command
    .option('--filter <filter>', 'send those the filter selects (as in the window); "" selects all')
    .option('--id <n...>', 'send these deliveries, by their ids', idsFrom)
    .option('--document <id>', "send all of one document's deliveries")
    .requiredOption(
      '--to <address>',
      'where to: an http(s) address, or the name of a target',
      destinationFrom,
    )
    .option(
      '--header <name: value>',
      'send this header too, or in place of the one received; repeatable',
      gathered,
    )
    .option('--rate <n>', 'begin at most so many a second', decimal(0.01, 100_000))
    .option('--concurrency <n>', 'at most so many on their way at once', wholeNumber(1, 256), concurrency)
    .addOption(
      new Option('--order <order>', "in order of arrival, or only each document's deliveries in order")
        .choices(['arrival', 'document'])
        .default('arrival'),
    )
    .option('--keep-gaps <x>', 'keep the gaps between arrivals, times x', decimal(0.1, 10))
    .option('--stop-after <n>', 'stop when so many have failed', wholeNumber(1, 999_999_999))
    .option('--retries <n>', 'try each so many times more', wholeNumber(0, 20), retry.times)
    .option('--retry-delay <ms>', 'wait so long before trying again', wholeNumber(0, 600_000), retry.delayMs)
    .option(
      '--fail-on <statuses>',
      'what counts as failure, such as 4xx,503 (default: all but 2xx)',
      statusesFrom,
    )
    .option('--include <what>', 'rejected, replay or both: send those too', includedFrom)
}

/** @throws CommandFailure unless exactly one of the three is given */
export function sourceOf({ filter, id, document }: ReplayOptions): ReplaySource {
  if ([filter, id, document].filter((one) => one !== undefined).length !== 1)
    throw wrongUsage('Say which deliveries: by --filter, by --id or by --document, and by one of them only.')
  if (filter !== undefined) return { type: 'filter', filter }
  if (document !== undefined) return { type: 'document', documentId: document }
  return { type: 'ids', ids: [...new Set(id)] }
}

export function jobOptionsOf(options: ReplayOptions): JobOptions {
  const headers = options.header?.map(headerOf).map(({ name, value }) => [name, value] as const)
  return {
    to: { target: options.to, ...(headers === undefined ? {} : { headers }) },
    order: options.order,
    concurrency: options.concurrency,
    ratePerSecond: options.rate ?? null,
    gaps: options.keepGaps ?? null,
    stopAfterFailures: options.stopAfter ?? null,
    retry: { times: options.retries, delayMs: options.retryDelay },
    failures: options.failOn ?? DEFAULT_JOB_OPTIONS.failures,
    include: options.include ?? [],
  }
}

function idsFrom(text: string, before: readonly number[] = []): readonly number[] {
  const read = wholeNumber(1, 999_999_999_999_999)
  const ids = [...before, ...words(text).map(read)]
  if (ids.length > MOST_IDS)
    throw new InvalidArgumentError(`At most ${MOST_IDS} ids can be given; select with --filter instead.`)
  return ids
}

function statusesFrom(text: string): readonly string[] {
  const statuses = words(text.toLowerCase())
  const wrong = statuses.find((one) => !/^[1-5](?:xx|\d\d)$/.test(one))
  if (wrong !== undefined || statuses.length === 0)
    throw new InvalidArgumentError('Give statuses with commas between them, such as 404,5xx.')
  return statuses
}

function includedFrom(text: string): JobOptions['include'] {
  const wanted = words(text)
  const wrong = wanted.find((word) => !INCLUDABLE.some((one) => one === word))
  if (wrong === 'malformed')
    throw new InvalidArgumentError('Malformed requests are never sent: they cannot be sent as they came.')
  if (wrong !== undefined || wanted.length === 0)
    throw new InvalidArgumentError(
      `Give ${INCLUDABLE.join(', ')} or both${wrong ? `, not "${visible(wrong)}"` : ''}.`,
    )
  return INCLUDABLE.filter((one) => wanted.includes(one))
}

const words = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

function decimal(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= least && value <= most))
      throw new InvalidArgumentError(`Give a number from ${least} to ${most}.`)
    return value
  }
}
