import { hostname } from 'node:os'
import { InvalidArgumentError } from 'commander'
import { beginning } from '#contract/source.ts'
import { type Cli, command, option, type Values } from '../shared/command.ts'
import { OPEN_OPTION, runServing, WINDOW_OPTIONS } from './serve.ts'
import { LOG_OPTION, logUrl } from './shared.ts'

/** Parses where a first following begins. */
function begin(text: string): string {
  if (beginning.safeParse(text).success) return text
  throw new InvalidArgumentError('Give newest, oldest or a date such as 2026-11-27.')
}

const OPTIONS = {
  ...LOG_OPTION,
  name: option('<name>', 'name of this follower, for the others (the name of the machine)'),
  from: option(
    '<when>',
    'where a first following begins: newest, oldest or a date (UTC) (default: newest)',
    begin,
  ),
  ...WINDOW_OPTIONS,
  ...OPEN_OPTION,
}

export const follow = command({
  name: 'follow',
  about: 'Copy the deliveries of a shared log to this machine as they come, and serve the window.',
  options: OPTIONS,
  json: 'print one JSON line when ready: {"log","name","ui","metrics","data"}',
  examples: [
    [
      'acuse follow --log postgres://reader@db1,db2/acuse --data ./team',
      'from now on, into a folder of its own',
    ],
    ['acuse follow --log postgres://reader@db1/acuse --from 2026-11-01', 'from the first delivery of a day'],
  ],
  run,
})

async function run(options: Values<typeof OPTIONS>, cli: Cli): Promise<void> {
  const { terminal } = cli
  const url = logUrl(options.log, terminal)
  const { shown } = await import('#log/shared/database.ts')
  const name = options.name ?? hostname()
  const follow = { url, name, passphrase: terminal.env.ACUSE_LOG_KEY, from: options.from }
  await runServing(options, cli, { receiver: { enabled: false }, follow }, ({ ui, metrics, folder }) =>
    cli.print(
      { log: shown(url), name, ui, metrics, data: folder },
      `Log     ${shown(url)}\nName    ${name}\nWindow  ${ui ?? 'not served'}\n${metrics === null ? '' : `Metrics ${metrics}metrics\n`}Data    ${folder}\n`,
    ),
  )
}
