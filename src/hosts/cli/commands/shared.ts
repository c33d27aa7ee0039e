import { InvalidArgumentError } from 'commander'
import { z } from 'zod'
import type { SharedClient } from '#log/shared/database.ts'
import { type Cli, command, flag, group, option, required } from '../shared/command.ts'
import { wrongUsage } from '../shared/failures.ts'
import { counted, number, visible } from '../shared/text.ts'

export const LOG_OPTION = {
  log: option('<url>', 'the shared log, as postgres://user@host[:port][,host…]/database; else ACUSE_LOG_URL'),
}

/** @returns the URL of the shared log from the option or the environment, where other users cannot read its password */
export function logUrl(given: string | undefined, { env }: Cli['terminal']): string {
  const url = given ?? env.ACUSE_LOG_URL
  if (!url)
    throw wrongUsage(
      'Say where the shared log is: --log postgres://user@host/database, or set ACUSE_LOG_URL.',
    )
  return url
}

/** Connects to the primary of the shared log. @param isQuick whether each answer comes at once; else it may wait for others */
async function connected<T>(
  { log }: { readonly log: string | undefined },
  cli: Cli,
  work: (client: SharedClient, shownUrl: string) => Promise<T>,
  isQuick = false,
): Promise<T> {
  const url = logUrl(log, cli.terminal)
  const { ANSWER_MS, connectPrimary, end, failureOf, shown } = await import('#log/shared/database.ts')
  const client = await connectPrimary(url, 'acuse shared', isQuick ? ANSWER_MS : undefined)
  try {
    return await work(client, shown(url))
  } catch (error) {
    throw failureOf(error)
  } finally {
    end(client)
  }
}

const init = command({
  name: 'init',
  folder: null,
  about: 'Create the tables of a shared log, or bring them up to this version.',
  options: LOG_OPTION,
  json: 'print {"log"}',
  examples: [['acuse shared init --log postgres://owner@db1/acuse', 'as the owner of the database']],
  run: (options, cli) =>
    connected(options, cli, async (client, log) => {
      const [{ migrate }, { lastPlace }] = await Promise.all([
        import('#log/shared/schema.ts'),
        import('#log/shared/administration.ts'),
      ])
      await migrate(client)
      // Followers ask it: its owner may lack the right to see the standbys.
      await lastPlace(client)
      await cli.print({ log }, `The shared log in ${log} is ready.\n`)
    }),
})

const roles = command({
  name: 'roles',
  folder: null,
  about: 'Print the SQL that makes the roles acuse_receive, acuse_read, acuse_work and acuse_administer.',
  json: 'print {"sql"}',
  examples: [['acuse shared roles | psql postgres://owner@db1/acuse', 'make them']],
  async run(_, cli) {
    const { ROLES } = await import('#log/shared/schema.ts')
    await cli.print({ sql: ROLES }, ROLES)
  },
})

const status = command({
  name: 'status',
  folder: null,
  about:
    'List the receivers of a shared log, the work of its followers, what it holds by day, and whether it is replicated.',
  options: LOG_OPTION,
  json: 'print {"replicated","receivers","work","days"}',
  examples: [['acuse shared status --log postgres://reader@db1/acuse', 'how the log is now']],
  run: (options, cli) =>
    connected(
      options,
      cli,
      async (client) => {
        const { statusOf } = await import('#log/shared/administration.ts')
        const found = await statusOf(client)
        const replicated = found.replicated
          ? 'Replicated: a delivery is answered once a synchronous standby has it.'
          : 'Not replicated: the database has no synchronous standby, so its loss would lose deliveries.'
        const receivers = found.receivers.map(
          ({ name, address, up, seenAt, singleCopies, outdated }) =>
            `  ${visible(name).padEnd(20)}  ${((up && address) || 'not listening').padEnd(26)}  seen ${seenAt}, ${counted(singleCopies, 'single copy')}${outdated ? ', old endpoints: it cannot read the present ones, and says why on its stderr' : ''}\n`,
        )
        const days = found.days.map(
          ({ day: name, records, bytes }) =>
            `  ${name}  about ${counted(records, 'record')}, ${number(bytes)} bytes\n`,
        )
        const work = found.work.map(
          ({ kind, name, destination, holder, uncertain }) =>
            `  ${visible(`${kind} ${name} to ${destination}`)}: ${holder === null ? 'waits for a follower' : `on ${visible(holder)}`}${uncertain === 0 ? '' : `, ${number(uncertain)} uncertain`}\n`,
        )
        await cli.print(
          found,
          `${replicated}\nReceivers of the last day:\n${receivers.join('')}${work.length === 0 ? '' : `Work that one follower does for all:\n${work.join('')}`}Days:\n${days.join('')}`,
        )
      },
      true,
    ),
})

/** Parses a day. */
function day(text: string): string {
  if (z.iso.date().safeParse(text).success) return text
  throw new InvalidArgumentError('Give a day such as 2026-11-01.')
}

const prune = command({
  name: 'prune',
  folder: null,
  about: 'Drop whole days of a shared log. What followers have copied stays with them.',
  options: {
    ...LOG_OPTION,
    before: required('<day>', 'drop the days before this one (UTC)', day),
    dryRun: flag('only say what would go'),
  },
  json: 'print {"dropped","records","bytes"}',
  examples: [
    ['acuse shared prune --before 2026-08-01 --dry-run', 'what would go'],
    ['acuse shared prune --before 2026-08-01', 'drop it'],
  ],
  run: ({ before, dryRun, ...options }, cli) =>
    connected(options, cli, async (client) => {
      const { dropDays } = await import('#log/shared/administration.ts')
      const found = await dropDays(client, before, dryRun)
      const what = `${counted(found.dropped.length, 'day')} with ${counted(found.records, 'record')}, ${number(found.bytes)} bytes`
      await cli.print(found, dryRun ? `Would drop ${what}.\n` : `Dropped ${what}.\n`)
    }),
})

export const shared = group('shared', 'Make and manage a log on PostgreSQL that several receivers share.', [
  init,
  roles,
  status,
  prune,
])
