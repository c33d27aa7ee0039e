import type { Command } from 'commander'
import type { CommandContext } from '../context.ts'
import { examples, withCommon } from '../options.ts'
import { reachExisting, using } from '../reach.ts'
import { jobOptionsOf, type ReplayOptions, sourceOf, withReplayOptions } from '../replay-options.ts'

/** `acuse replay`: sends captured deliveries again, by a job that it follows to its end. */
export function addReplay(program: Command, { terminal, exitWith }: CommandContext): void {
  const replay = withReplayOptions(
    program
      .command('replay')
      .description(
        'Send captured deliveries again, byte for byte. Exit code 1 when one failed. Malformed requests, rejected deliveries and replays that came back are left out.',
      ),
  ).option('--dry-run', 'send nothing: say how many would be sent, what is left out, how long it takes')
  examples(
    withCommon(replay, 'print one JSON line per attempt, then {"sent","failed","skipped"} in deliveries'),
    [
      ['acuse replay --id 42 --to http://127.0.0.1:3000/hook', 'one delivery'],
      ["acuse replay --filter 'kind:factura.*' --to staging --dry-run", 'what would be sent to a target'],
      [
        "acuse replay --filter '' --to staging --order document --concurrency 16",
        'everything, documents side by side',
      ],
      ['acuse replay --document 3f2a… --to http://127.0.0.1:3000/hook --keep-gaps 0.1', 'ten times as fast'],
      ["acuse replay --id 7 --to staging --header 'X-Try: 2' --retries 3 --fail-on 5xx", 'until it is taken'],
    ],
  ).action(async (options: ReplayOptions) => {
    // What is wrong with the words is told before any store is opened.
    sourceOf(options)
    jobOptionsOf(options)
    const { replay: run } = await import('../replaying.ts')
    await using(reachExisting(options.data, terminal), async (reached) => {
      const exit = await run(options, reached, terminal)
      if (exit !== 0) exitWith(exit)
    })
  })
}
