import type { Command } from 'commander'
import { KINDS } from '#catalog/kinds.ts'
import { PLUGIN_EVENT_TYPES, type PluginEventType } from '#catalog/service.ts'
import { messageOf } from '#contract/errors.ts'
import { nearest } from '#core/filter/nearest.ts'
import { accountOf, checkCredential } from '../shared/connection-change.ts'
import { EXIT, wrongUsage } from '../shared/failures.ts'
import { examples } from '../shared/options.ts'
import { reach, using } from '../shared/reach.ts'
import { checkAccount } from '../shared/reconcile-options.ts'
import type { CommandContext, Terminal } from '../shared/terminal.ts'
import { visible, visibleLines } from '../shared/text.ts'
import { readUserFile } from '../shared/user-file.ts'
import { baseUrlFrom } from './connections.ts'

interface PublishOptions {
  readonly data?: string
  readonly dataDir?: string
  readonly connection?: string
  readonly baseUrl?: string
  readonly json?: boolean
}

/** `acuse publish`: what an installed plugin does, sent once. */
export function addPublish(program: Command, { terminal, exitWith }: CommandContext): void {
  const publish = program
    .command('publish')
    .description(
      `Publish a plugin event to the service: ${PLUGIN_EVENT_TYPES.join(', ')}. Exit code 3 when it was not accepted. The token comes from ACUSE_PLUGIN_TOKEN or the connection.`,
    )
    .argument('<type>', 'event type')
    .option('--data <file>', 'file with the content, a JSON object, sent as it is; "-" reads stdin')
    .option('--connection <name>', 'account to publish to')
    .option('--base-url <address>', 'the same by the address of the service', baseUrlFrom)
    .option(
      '--data-dir <dir>',
      'folder with the data of Acuse (default: ACUSE_DATA, else the user data folder)',
    )
    .option('--json', 'print {"ok","status","message","headers","body"}')
  examples(publish, [
    ['acuse publish cobro.registrado --data cobro.json --connection erp', 'a payment that was received'],
    [
      "echo '{}' | acuse publish inventario.movimiento --data - --base-url http://127.0.0.1:4402",
      'to the sandbox',
    ],
  ]).action(async (type: string, options: PublishOptions) => {
    const eventType = eventTypeFrom(type)
    checkAccount(options)
    checkCredential(options, 'pluginToken', terminal.env)
    const data = await contentOf(options.data, terminal)
    await using(reach(options.dataDir, terminal), async (reached) => {
      const account = await accountOf(reached, options, 'pluginToken', terminal)
      await account.open()
      try {
        const answer = await reached.call('plugins.publish', {
          connection: account.connection.name,
          eventType,
          ...(data === undefined ? {} : { data }),
        })
        const head = `${answer.status ?? 'No answer'}  ${answer.message}`
        const body = answer.body === '' ? '' : `${visibleLines(answer.body)}\n`
        await terminal.print(options.json ? `${JSON.stringify(answer)}\n` : `${visible(head)}\n${body}`)
        if (!answer.ok) exitWith(EXIT.failed)
      } finally {
        await account.close(false)
      }
    })
  })
}

function eventTypeFrom(type: string): PluginEventType {
  const found = PLUGIN_EVENT_TYPES.find((one) => one === type)
  if (found !== undefined) return found
  const [meant] = nearest(type, PLUGIN_EVENT_TYPES)
  const hint = KINDS.some(({ kind }) => kind === type)
    ? ' That is a kind of webhook, which only the service sends.'
    : meant === undefined
      ? ''
      : ` Did you mean ${meant}?`
  throw wrongUsage(
    `"${visible(type)}" is no plugin event; there are ${PLUGIN_EVENT_TYPES.join(', ')}.${hint}`,
  )
}

/** @returns the very characters of the file; undefined when none is named */
async function contentOf(file: string | undefined, terminal: Terminal): Promise<string | undefined> {
  if (file === undefined) return undefined
  const bytes = await readUserFile(file, terminal)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw wrongUsage(`${visible(file)} cannot be read: it is not UTF-8.`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw wrongUsage(`${visible(file)} is not JSON: ${visible(messageOf(error))}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrongUsage(`${visible(file)}: data of a plugin event is a JSON object, or is left out.`)
  return text
}
