import { forward } from '#contract/replay.ts'
import { readFilter } from '#core/filter/read.ts'
import { command, flag, option, preset } from '../shared/command.ts'
import { destinationFrom } from '../shared/destination.ts'
import { wrongUsage } from '../shared/failures.ts'
import { port } from './serve.ts'

export const listen = command({
  name: 'listen',
  about:
    'Receive, forward to your handler and show each event in one line, as it comes. Where Acuse runs already, that one receives and forwards.',
  options: {
    forwardTo: option('<address>', 'where to: an http(s) address, or the name of a target', destinationFrom),
    filter: preset('<filter>', 'only those the filter selects (as in the window)', String, ''),
    print: flag('print the bodies too; without --forward-to, events are printed and not forwarded'),
    port: option('<n>', 'port of the receiver for this run; 0 takes a free one', port),
    answer: flag("answer the service with your handler's answer, if it comes within 5 s"),
    concurrency: preset(
      '<n>',
      'at most so many on their way; documents keep their order',
      forward.shape.concurrency,
      4,
    ),
    whenDown: preset(
      '<what>',
      'while the handler cannot be reached: queue deliveries, or drop them',
      forward.shape.whenDown,
      'queue',
    ),
  },
  json: 'print {"receiver","forwardTo","forward","data"} when ready, then a line per event and per attempt',
  examples: [
    ['acuse listen --forward-to http://127.0.0.1:3000/hook', 'everything to your handler'],
    ["acuse listen --forward-to staging --filter 'group:invoices' --answer", 'invoices, with its answers'],
    ['acuse listen --print --port 0', 'only print deliveries'],
  ],
  async run(given, cli) {
    if (given.forwardTo === undefined && !given.print)
      throw wrongUsage(
        'Say where to: --forward-to http://127.0.0.1:3000/hook; or --print to forward nothing.',
      )
    if (given.forwardTo === undefined && given.answer)
      throw wrongUsage('--answer goes with --forward-to: it is the answer of what is forwarded.')
    if (!given.filter.startsWith('@')) readFilter(given.filter)
    // Loaded only now: the other commands need neither Express nor the store's threads.
    const { listen: run } = await import('./listening.ts')
    await run(given, cli)
  },
})
