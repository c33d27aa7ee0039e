import { kindSpec } from '#catalog/kinds.ts'
import { PLUGIN_EVENT_TYPES, type PluginEventType } from '#catalog/service.ts'
import { accountOf, accountOptions, checkAccount } from '../shared/account.ts'
import { argument, command, defined, option } from '../shared/command.ts'
import { EXIT, wrongUsage } from '../shared/failures.ts'
import { parsedUserJson, readUserFile, type Terminal } from '../shared/terminal.ts'
import { didYouMean, visible, visibleLines } from '../shared/text.ts'

export const publish = command({
  name: 'publish',
  about: `Publish a plugin event to the service: ${PLUGIN_EVENT_TYPES.join(', ')}. Exit code 3 when it was not accepted. The token comes from ACUSE_PLUGIN_TOKEN or the connection.`,
  args: { type: argument('<event-type>', 'event type') },
  options: {
    data: option('<file>', 'file with the content, a JSON object, sent as it is; "-" reads stdin'),
    ...accountOptions('account to publish to', 'the same by the address of the service'),
  },
  folder: {
    flag: '--data-dir',
    about: 'folder with the data of Acuse (default: ACUSE_DATA, else the user data folder)',
  },
  json: 'print {"ok","status","message","headers","body"}',
  examples: [
    ['acuse publish cobro.registrado --data cobro.json --connection erp', 'a payment that was received'],
    [
      "echo '{}' | acuse publish inventario.movimiento --data - --base-url http://127.0.0.1:4402",
      'to the sandbox',
    ],
  ],
  async run({ type, data: file, ...named }, cli) {
    const eventType = eventTypeFrom(type)
    checkAccount(named, 'pluginToken', cli.terminal.env)
    const data = await contentOf(file, cli.terminal)
    await cli.made(async (reached) => {
      const account = await accountOf(reached, named, 'pluginToken', cli.terminal)
      await account.open()
      try {
        const event = { connection: account.connection.name, eventType, ...defined({ data }) }
        const answer = await reached.call('plugins.publish', event)
        const body = answer.body === '' ? '' : `${visibleLines(answer.body)}\n`
        await cli.print(answer, `${visible(`${answer.status ?? 'No answer'}  ${answer.message}`)}\n${body}`)
        if (!answer.ok) cli.exitWith(EXIT.failed)
      } finally {
        await account.close(false)
      }
    })
  },
})

function eventTypeFrom(type: string): PluginEventType {
  const found = PLUGIN_EVENT_TYPES.find((one) => one === type)
  if (found !== undefined) return found
  const hint = kindSpec(type)
    ? ' That is a kind of webhook, which only the service sends.'
    : didYouMean(type, PLUGIN_EVENT_TYPES)
  throw wrongUsage(
    `"${visible(type)}" is not a plugin event; there are ${PLUGIN_EVENT_TYPES.join(', ')}.${hint}`,
  )
}

/** @returns the file's text unchanged; undefined without a file */
async function contentOf(file: string | undefined, terminal: Terminal): Promise<string | undefined> {
  if (file === undefined) return undefined
  const bytes = await readUserFile(file, terminal)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw wrongUsage(`${visible(file)} cannot be read: it is not UTF-8.`)
  }
  const value = parsedUserJson(file, text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrongUsage(`${visible(file)}: data of a plugin event is a JSON object, or is left out.`)
  return text
}
