import { type Command, Option } from 'commander'
import { ROUTE_CHOICES } from '#contract/values.ts'
import { checkCredential } from '../account.ts'
import type { CommandContext } from '../context.ts'
import { destinationFrom } from '../destination.ts'
import { examples, wholeNumber, withCommon } from '../options.ts'
import { reachExisting, using } from '../reach.ts'
import {
  checkWords,
  DEFAULT_FAIL_ON,
  failOnFrom,
  LANGUAGES,
  MOST_PAGE,
  type ReconcileOptions,
  reportFrom,
  USUAL_PAGE,
} from '../reconcile-options.ts'
import { checkDates } from '../reconcile-ranges.ts'
import { baseUrlFrom } from './connections.ts'

/** `acuse reconcile`: compares what was captured with the service's own records. */
export function addReconcile(program: Command, { terminal, exitWith }: CommandContext): void {
  const reconcile = program
    .command('reconcile')
    .description(
      "Compare what was captured with the service's own records and say which events were missed, by which rule. Exit code 1 when it found what --fail-on names, 3 when the sweep is incomplete or refused. The API key comes from the connection or ACUSE_API_KEY.",
    )
    .option('--connection <name>', 'the account to reconcile with')
    .option('--base-url <address>', 'the same by the address of the service, for this run', baseUrlFrom)
    .option('--from <date>', "first issue date: a day in the connection's zone, or a date-time with offset")
    .option('--to <date>', 'last issue date, that day included')
    .addOption(
      new Option('--route <route>', 'treasury lists debts only').choices(ROUTE_CHOICES).default('accounting'),
    )
    .option('--document-type-id <n>', 'documents of this type only', wholeNumber(0, 999_999_999))
    .option(
      '--page-size <n>',
      `items asked for at once, up to ${MOST_PAGE}`,
      wholeNumber(1, MOST_PAGE),
      USUAL_PAGE,
    )
    .option(
      '--recover-to <address>',
      'rebuild the missed events and send them there: an http(s) address, or the name of a target',
      destinationFrom,
    )
    .addOption(
      new Option('--fail-on <classes>', 'what makes the exit code 1, such as missing,differs')
        .argParser(failOnFrom)
        .default(DEFAULT_FAIL_ON, 'missing'),
    )
    .option('--report <file>', 'write a report: .html, .csv, .json or .md', reportFrom)
    .addOption(
      new Option('--language <language>', 'of the report; LANG decides when this is left out').choices(
        LANGUAGES,
      ),
    )
    .option('--unmask', 'show the names of customers and suppliers in the report')
  examples(
    withCommon(reconcile, 'print {"route","complete","items","counts","rows"}, one line for each route'),
    [
      ['acuse reconcile --connection erp --from 2026-10-01 --to 2026-10-31', 'a month'],
      [
        'acuse reconcile --connection erp --from 2026-10-05 --to 2026-10-05 --recover-to http://127.0.0.1:3000/hook',
        'and send what was missed',
      ],
      [
        'acuse reconcile --base-url http://127.0.0.1:4402 --from 2026-10-01 --to 2026-10-31 --fail-on missing,differs --json',
        'for a script, with ACUSE_API_KEY',
      ],
      [
        'acuse reconcile --connection erp --from 2026-10-01 --to 2026-10-31 --report october.html',
        'to hand over',
      ],
    ],
  ).action(async (options: ReconcileOptions) => {
    checkWords(options)
    checkDates(options)
    checkCredential(options, 'apiKey', terminal.env)
    const { reconcile: run } = await import('../reconciling.ts')
    await using(reachExisting(options.data, terminal), async (reached) => {
      const exit = await run(options, reached, terminal)
      if (exit !== 0) exitWith(exit)
    })
  })
}
