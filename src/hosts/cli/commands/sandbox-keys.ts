import type { Command } from 'commander'
import type { CommandContext } from '../context.ts'
import { type CommonOptions, examples, withCommon } from '../options.ts'
import { idNumber } from '../sandbox-options.ts'
import { known, usingSandbox } from '../sandbox-reach.ts'
import { visible } from '../visible.ts'

const LIST = 'acuse sandbox keys list'

/** `acuse sandbox keys …`: what opens the sync routes of the sandbox. */
export function addSandboxKeys(sandbox: Command, { terminal }: CommandContext): void {
  const group = sandbox
    .command('keys')
    .description('API keys of the sandbox, for its sync routes: list, issue, revoke.')

  const list = group
    .command('list')
    .description('List the API keys, with their ids; never the keys themselves.')
  examples(withCommon(list, 'print {"keys": […]}'), [[LIST, 'id, time of issue, name']]).action(
    ({ data, json }: CommonOptions) =>
      usingSandbox(data, async (call) => {
        const listed = await call('sandbox.keys', {})
        const lines = listed.keys.map(
          ({ id, name, createdAt }) => `${String(id).padEnd(4)} ${createdAt}  ${visible(name)}\n`,
        )
        await terminal.print(json ? `${JSON.stringify(listed)}\n` : lines.join(''))
        if (lines.length === 0) terminal.say('There are none. Issue one with: acuse sandbox keys issue')
      }),
  )

  const issue = group
    .command('issue')
    .description('Issue an API key and print it: nothing else on stdout, and never again.')
    .option('--name <name>', 'what it is called in the list')
  examples(withCommon(issue, 'print {"id","name","createdAt","key"}'), [
    ['KEY=$(acuse sandbox keys issue --name ERP)', 'into a variable of the shell'],
  ]).action(({ data, json, name }: CommonOptions & { readonly name?: string }) =>
    usingSandbox(data, async (call) => {
      const issued = await call('sandbox.issue-key', name === undefined ? {} : { name })
      await terminal.print(`${json ? JSON.stringify(issued) : issued.key}\n`)
      terminal.say(`API key ${issued.id} issued. It is shown this once; send it as X-Api-Key.`)
    }),
  )

  const revoke = group
    .command('revoke')
    .description(
      'Revoke an API key: from now on it opens nothing. Only the one named Acuse comes back with the next start.',
    )
    .argument('<id>', `its id, as "${LIST}" prints it`, idNumber)
  examples(withCommon(revoke, 'print {"removed": id}'), [['acuse sandbox keys revoke 3', 'at once']]).action(
    (id: number, { data, json }: CommonOptions) =>
      usingSandbox(data, async (call) => {
        const removed = await known('API key', id, LIST, call('sandbox.revoke-key', { id }))
        terminal.say(`API key ${id} revoked.`)
        if (json) await terminal.print(`${JSON.stringify(removed)}\n`)
      }),
  )
}
