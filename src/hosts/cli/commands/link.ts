import type { Command } from 'commander'
import { type CommonOptions, examples, withCommon } from '../shared/options.ts'
import { reachRunning, using } from '../shared/reach.ts'
import type { CommandContext } from '../shared/terminal.ts'

/** `acuse link`: a fresh one-time link to the window of the running host. */
export function addLink(program: Command, { terminal }: CommandContext): void {
  const link = program
    .command('link')
    .description('Print a fresh link to the window of the running Acuse; it works once, within ten minutes.')
  examples(withCommon(link, 'print {"url": …}'), [
    ['acuse link', 'print a link for the browser'],
    ['acuse link --data ./data', 'of the Acuse that runs on that folder'],
  ]).action((options: CommonOptions) =>
    using(reachRunning(options.data), async (host) => {
      const { url } = await host.call('ui.link', {})
      await terminal.print(`${options.json ? JSON.stringify({ url }) : url}\n`)
    }),
  )
}
