import { z } from 'zod'
import { argument, command, type Declaration } from '../shared/command.ts'
import { completionScript, SHELLS } from '../shared/completion-scripts.ts'
import { completionsOf } from '../shared/completions.ts'

/** Made from the commands beside it, so it is declared on their parent. */
export const completion: Declaration = (parent, context) =>
  command({
    name: 'completion',
    about: 'Print a script that lets a shell complete commands, options, kinds and filters.',
    args: { shell: argument('<shell>', 'bash, zsh, fish or powershell', z.enum(SHELLS)) },
    folder: null,
    json: 'print the words by place instead of the script',
    examples: [
      ['source <(acuse completion bash)', 'for this bash; in ~/.bashrc for each'],
      ['source <(acuse completion zsh)', 'for zsh, after compinit'],
      ['acuse completion fish | source', 'for fish'],
      ['acuse completion powershell | Out-String | Invoke-Expression', 'for PowerShell'],
    ],
    async run({ shell }, cli) {
      const { SCENARIOS } = await import('#sandbox/scenarios/scenarios.ts')
      const words = completionsOf(
        parent,
        SCENARIOS.map(({ slug }) => slug),
      )
      await cli.print(Object.fromEntries(words), completionScript(shell, words))
    },
  })(parent, context)
