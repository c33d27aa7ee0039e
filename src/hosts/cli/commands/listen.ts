import { type Command, Option } from 'commander'
import { readFilter } from '#core/filter/read.ts'
import { destinationFrom } from '../shared/destination.ts'
import { wrongUsage } from '../shared/failures.ts'
import { examples, portNumber, wholeNumber, withCommon } from '../shared/options.ts'
import type { CommandContext } from '../shared/terminal.ts'
import type { ListenOptions } from './listening.ts'

/** `acuse listen`: receives, forwards and shows in one terminal, until it is told to stop. */
export function addListen(program: Command, { terminal }: CommandContext): void {
  const listen = program
    .command('listen')
    .description(
      'Receive, forward to your handler and show each event in one line, as it comes. Where Acuse runs already, that one receives and forwards.',
    )
    .option(
      '--forward-to <address>',
      'where to: an http(s) address, or the name of a target',
      destinationFrom,
    )
    .option('--filter <filter>', 'only those the filter selects (as in the window)', '')
    .option('--print', 'print the bodies too; without --forward-to, events are printed and not forwarded')
    .option('--port <n>', 'port of the receiver for this run; 0 takes a free one', portNumber)
    .option('--answer', "answer the service with your handler's answer, if it comes within 5 s")
    .option(
      '--concurrency <n>',
      'at most so many on their way; documents keep their order',
      wholeNumber(1, 64),
      4,
    )
    .addOption(
      new Option('--when-down <what>', 'while the handler cannot be reached: queue deliveries, or drop them')
        .choices(['queue', 'drop'])
        .default('queue'),
    )
  examples(
    withCommon(
      listen,
      'print {"receiver","forwardTo","forward","data"} when ready, then a line per event and per attempt',
    ),
    [
      ['acuse listen --forward-to http://127.0.0.1:3000/hook', 'everything to your handler'],
      ["acuse listen --forward-to staging --filter 'group:invoices' --answer", 'invoices, with its answers'],
      ['acuse listen --print --port 0', 'only print deliveries'],
    ],
  ).action(async (options: ListenOptions) => {
    if (options.forwardTo === undefined && !options.print)
      throw wrongUsage(
        'Say where to: --forward-to http://127.0.0.1:3000/hook; or --print to forward nothing.',
      )
    if (options.forwardTo === undefined && options.answer)
      throw wrongUsage('--answer goes with --forward-to: it is the answer of what is forwarded.')
    if (!options.filter.startsWith('@')) readFilter(options.filter)
    // Loaded only now: the other commands need neither Express nor the store's threads.
    const { listen: run } = await import('./listening.ts')
    await run(options, terminal)
  })
}
