import type { Command } from 'commander'
import { validateBytes } from '#core/checks/validate.ts'
import { EXIT } from '../shared/failures.ts'
import { type CommonOptions, examples, withCommon } from '../shared/options.ts'
import { findingLine } from '../shared/records.ts'
import type { CommandContext } from '../shared/terminal.ts'
import { visible } from '../shared/text.ts'
import { readUserFile } from '../shared/user-file.ts'

/** `acuse validate FILE|-`: judges a body as the receiver would. Needs neither a host nor a data folder. */
export function addValidate(program: Command, { terminal, exitWith }: CommandContext): void {
  const validate = program
    .command('validate')
    .description('Check a body against the 28 kinds of event. Exit code 1 when it is invalid or unreadable.')
    .argument('<file>', 'file with the body; "-" reads it from stdin')
  examples(withCommon(validate, 'print {"verdict": …, "findings": […]}'), [
    ['acuse validate event.json', 'check a file'],
    ['curl -s localhost:3000/sample | acuse validate - --json', 'check what another program prints'],
  ]).action(async (file: string, options: CommonOptions) => {
    const { verdict, findings } = validateBytes(await readUserFile(file, terminal))
    if (verdict === 'invalid' || verdict === 'unreadable') exitWith(EXIT.found)
    const lines = options.json
      ? [JSON.stringify({ verdict, findings })]
      : [`${visible(file)}: ${verdict}`, ...findings.map((finding) => `  ${findingLine(finding)}`)]
    await terminal.print(`${lines.join('\n')}\n`)
  })
}
