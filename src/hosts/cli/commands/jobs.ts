import type { Command } from 'commander'
import { AcuseError } from '#contract/errors.ts'
import type { Job } from '#contract/replay.ts'
import { attemptLine, attemptRecord } from '../attempt-text.ts'
import { painter } from '../colours.ts'
import type { CommandContext } from '../context.ts'
import { couldNot, EXIT } from '../failures.ts'
import { jobLine, jobRecord, jobText } from '../job-text.ts'
import { type CommonOptions, examples, wholeNumber, withCommon } from '../options.ts'
import { type Reached, reachExisting, using } from '../reach.ts'

interface ShowOptions extends CommonOptions {
  readonly attempts?: boolean
  readonly failed?: boolean
}
interface RunOptions extends CommonOptions {
  readonly follow?: boolean
}

const LIST = 'acuse jobs list'
const jobNumber = wholeNumber(1, 999_999_999_999_999)
const PAGE = 1_000

/** `acuse jobs …`: what `acuse replay` and the window have begun. */
export function addJobs(program: Command, context: CommandContext): void {
  const { terminal } = context
  const group = program
    .command('jobs')
    .description('Replays of many deliveries: list, show, pause, resume, cancel, retry-failed, remove.')

  const list = group.command('list').description('List the jobs, newest first.')
  examples(withCommon(list, 'print {"jobs": […]}'), [
    [LIST, 'for reading'],
    [`${LIST} --json | jq '.jobs[] | select(.state == "paused").id'`, 'those that wait to be resumed'],
  ]).action(({ data, json }: CommonOptions) =>
    using(reachExisting(data, terminal), async ({ call }) => {
      const { jobs } = await call('jobs.list', {})
      await terminal.print(
        json ? `${JSON.stringify({ jobs: jobs.map(jobRecord) })}\n` : jobs.map(jobLine).join(''),
      )
      if (jobs.length === 0) terminal.say('There are none. "acuse replay" starts one.')
    }),
  )

  const show = group
    .command('show')
    .description('Show one job with its rules, and its attempts if asked to, oldest first.')
    .argument('<id>', `its id, as "${LIST}" prints it`, jobNumber)
    .option('--attempts', 'and its attempts')
    .option('--failed', 'and those of its attempts that failed or are uncertain')
  examples(withCommon(show, 'print the job, then one JSON line per attempt'), [
    ['acuse jobs show 3', 'how far it is'],
    ['acuse jobs show 3 --failed --json', 'what failed, for a script'],
  ]).action((id: number, { data, json, attempts, failed }: ShowOptions) =>
    using(reachExisting(data, terminal), async ({ call }) => {
      const job = await known(id, call('jobs.get', { id }))
      await terminal.print(json ? `${JSON.stringify(jobRecord(job))}\n` : jobText(job))
      if (!attempts && !failed) return
      const paint = painter(terminal.coloured)
      let after = 0
      for (let more = true; more && !terminal.readerGone; ) {
        const page = await call('attempts.list', {
          of: { job: id },
          after,
          limit: PAGE,
          ...(failed ? { failed } : {}),
        })
        const lines = page.attempts.map((row) =>
          json ? `${JSON.stringify(attemptRecord(row))}\n` : attemptLine(row, paint),
        )
        await terminal.print(lines.join(''))
        after = page.attempts.at(-1)?.id ?? after
        more = page.more
      }
    }),
  )

  addEnding(group, context, 'pause', 'Pause a job; what is on its way ends.', 'paused')
  addEnding(
    group,
    context,
    'cancel',
    'Cancel a job: what was not sent yet is not sent any more.',
    'cancelled',
  )
  addRunning(
    group,
    context,
    'resume',
    'Go on with a job that was paused, also by a restart, or stopped by its failures.',
  )
  addRunning(group, context, 'retry-failed', 'Send again those deliveries of a job that failed.')

  const remove = group
    .command('remove')
    .description('Forget a job that does not run; its attempts stay with their deliveries.')
    .argument('<id>', `its id, as "${LIST}" prints it`, jobNumber)
  examples(withCommon(remove, 'print {"removed": id}'), [['acuse jobs remove 3', 'from the list']]).action(
    (id: number, { data, json }: CommonOptions) =>
      using(reachExisting(data, terminal), async ({ call }) => {
        const removed = await known(id, call('jobs.remove', { id }))
        terminal.say(`Job ${id} removed.`)
        if (json) await terminal.print(`${JSON.stringify(removed)}\n`)
      }),
  )
}

function addEnding(
  group: Command,
  { terminal }: CommandContext,
  name: 'pause' | 'cancel',
  description: string,
  done: string,
): void {
  const command = group
    .command(name)
    .description(description)
    .argument('<id>', `its id, as "${LIST}" prints it`, jobNumber)
  examples(withCommon(command, 'print the job as it is then'), [[`acuse jobs ${name} 3`, 'at once']]).action(
    (id: number, { data, json }: CommonOptions) =>
      using(reachExisting(data, terminal), async ({ call }) => {
        const job = await known(id, call(`jobs.${name}`, { id }))
        terminal.say(`Job ${id} ${done}.`)
        if (json) await terminal.print(`${JSON.stringify(jobRecord(job))}\n`)
      }),
  )
}

function addRunning(
  group: Command,
  { terminal, exitWith }: CommandContext,
  name: 'resume' | 'retry-failed',
  description: string,
): void {
  const command = group
    .command(name)
    .description(`${description} Where no Acuse runs, this command sends and stays until it is done.`)
    .argument('<id>', `its id, as "${LIST}" prints it`, jobNumber)
    .option('--follow', 'show its attempts and stay until it is done; then exit code 1 when one failed')
  examples(
    withCommon(
      command,
      'print the job; with --follow one line per attempt, then {"sent","failed","skipped"}',
    ),
    [
      [`acuse jobs ${name} 3`, 'let the running Acuse do it'],
      [`acuse jobs ${name} 3 --follow`, 'and watch it'],
    ],
  ).action((id: number, { data, json, follow }: RunOptions) =>
    using(reachExisting(data, terminal), async (reached) => {
      const [{ finish, follow: followJob }, { newestAttempt }, { stopSignal }] = await Promise.all([
        import('../replaying.ts'),
        import('../attempt-follower.ts'),
        import('../stop-signal.ts'),
      ])
      const watching = follow === true || reached.here
      const after = watching ? await newestAttempt(reached.call, { job: id }) : 0
      const stop = watching ? stopSignal(terminal.say, EXIT.failed) : Promise.resolve()
      const job = await known(id, begin(reached, name, id))
      terminal.say(`Job ${id} runs.`)
      if (!watching) {
        if (json) await terminal.print(`${JSON.stringify(jobRecord(job))}\n`)
        return
      }
      const ended = await followJob(reached, job, after, json === true, terminal, stop)
      const exit = await finish(ended, 0, json === true, terminal)
      if (exit !== 0) exitWith(exit)
    }),
  )
}

const begin = ({ call }: Reached, name: 'resume' | 'retry-failed', id: number): Promise<Job> =>
  call(`jobs.${name}`, { id })

/** Turns the refusal of an id into a sentence with the way out. */
async function known<T>(id: number, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AcuseError && error.code === 'not-found')
      throw couldNot(`There is no job ${id}; "${LIST}" shows those there are.`)
    throw error
  }
}
