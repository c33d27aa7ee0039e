import type { Command } from 'commander'
import { WEBHOOK_PLAN } from '#catalog/service.ts'
import type { CommandContext } from '../context.ts'
import { type CommonOptions, examples, withCommon } from '../options.ts'
import { usingSandbox } from '../sandbox-reach.ts'
import { visible } from '../visible.ts'

/** `acuse sandbox plan [PLAN]`: the workspace's plan, on which it hangs whether anything is dispatched at all (rule 4). */
export function addSandboxPlan(sandbox: Command, { terminal }: CommandContext): void {
  const plan = sandbox
    .command('plan')
    .description(`Print the plan of the workspace, or change it. Only ${WEBHOOK_PLAN} dispatches webhooks.`)
    .argument('[plan]', 'the plan to change to')
  examples(withCommon(plan, 'print {"plan","dispatches"}'), [
    ['acuse sandbox plan', 'print it'],
    ['acuse sandbox plan Básico', 'see that nothing is dispatched any more'],
    [`acuse sandbox plan ${WEBHOOK_PLAN}`, 'back again'],
  ]).action((wanted: string | undefined, { data, json }: CommonOptions) =>
    usingSandbox(data, async (call) => {
      const workspace =
        wanted === undefined
          ? (await call('sandbox.state', {})).workspace
          : await call('sandbox.set-workspace', { plan: wanted })
      const dispatches = workspace.plan === WEBHOOK_PLAN
      await terminal.print(
        `${json ? JSON.stringify({ plan: workspace.plan, dispatches }) : visible(workspace.plan)}\n`,
      )
      if (!dispatches)
        terminal.say(`Nothing is dispatched on this plan; only ${WEBHOOK_PLAN} dispatches webhooks.`)
    }),
  )
}
