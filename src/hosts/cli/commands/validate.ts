import { validateBytes } from '#core/checks/validate.ts'
import { argument, command } from '../shared/command.ts'
import { EXIT } from '../shared/failures.ts'
import { findingLine } from '../shared/records.ts'
import { readUserFile } from '../shared/terminal.ts'
import { visible } from '../shared/text.ts'

export const validate = command({
  name: 'validate',
  about: 'Check a body against the 28 kinds of event. Exit code 1 when it is invalid or unreadable.',
  args: { file: argument('<file>', 'file with the body; "-" reads it from stdin') },
  folder: null,
  json: 'print {"verdict": …, "findings": […]}',
  examples: [
    ['acuse validate event.json', 'check a file'],
    ['curl -s localhost:3000/sample | acuse validate - --json', 'check what another program prints'],
  ],
  async run({ file }, cli) {
    const { verdict, findings } = validateBytes(await readUserFile(file, cli.terminal))
    if (verdict === 'invalid' || verdict === 'unreadable') cli.exitWith(EXIT.found)
    const lines = [`${visible(file)}: ${verdict}`, ...findings.map((one) => `  ${findingLine(one)}`)]
    await cli.print({ verdict, findings }, `${lines.join('\n')}\n`)
  },
})
