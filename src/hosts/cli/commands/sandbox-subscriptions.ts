import type { Command } from 'commander'
import type { DeliveryMethod } from '#catalog/service.ts'
import type {
  SandboxHeader,
  SandboxLogEntry,
  SandboxSubscription,
  SandboxSubscriptionChange,
} from '#contract/sandbox.ts'
import { EXIT, wrongUsage } from '../shared/failures.ts'
import { gathered, headerFromEnv, headerOf } from '../shared/header-option.ts'
import { type CommonOptions, examples, withCommon } from '../shared/options.ts'
import {
  addressFrom,
  idNumber,
  kindsFrom,
  kindsText,
  known,
  methodFrom,
  type SandboxCall,
  type SwitchOptions,
  switched,
  unknownId,
  usingSandbox,
  withSwitch,
} from '../shared/sandbox-reach.ts'
import type { CommandContext, Terminal } from '../shared/terminal.ts'
import { shownUrl, visible, visibleLines } from '../shared/text.ts'

/** A subscription for people: its id first, the rest beneath. */
function subscriptionText({ id, name, url, method, headers, kinds, active }: SandboxSubscription): string {
  const lines = [
    `${String(id).padEnd(4)} ${active ? 'active' : 'inactive'}  ${method} ${shownUrl(url)}`,
    ...(name === url ? [] : [`     Name     ${name}`]),
    `     Kinds    ${kindsText(kinds)}`,
    ...headers.map(
      (header) =>
        `     Header   ${header.name}: ${header.masked ? `<masked: ${header.value}>` : header.value}`,
    ),
  ]
  return `${lines.map(visible).join('\n')}\n`
}

/** The result of a connectivity test, for people: the outcome in the first line, then the answer. */
function testText({ outcome, status, durationMs, method, url, error, answer }: SandboxLogEntry): string {
  const took = durationMs === null ? '' : `${Math.round(durationMs)} ms`
  const facts = [outcome, String(status ?? '–'), took, `${method} ${url}`, error ?? '']
  const first = facts
    .filter((fact) => fact !== '')
    .map(visible)
    .join('  ')
  if (answer === null) return `${first}\n`
  const cut = answer.truncated ? ['… (the rest was not read)'] : []
  const body = answer.encoding === 'utf8' ? answer.body : `${answer.body} (base64)`
  return `${[first, '', visibleLines(answer.head), '', ...(body === '' ? [] : [visibleLines(body)]), ...cut].join('\n').trimEnd()}\n`
}

type Wanted = NonNullable<SandboxSubscriptionChange['headers']>

/**
 * The headers of a subscription with some of them set and some taken away: the others keep their place, and masked ones the value that
 * is not known here.
 * @param given take the place of all that have their name
 * @param gone names, in whatever case
 * @throws CommandFailure when there is nothing of a name to take away
 */
function changedHeaders(
  present: readonly SandboxHeader[],
  given: readonly { readonly name: string; readonly value: string }[],
  gone: readonly string[],
): Wanted {
  const lower = (name: string) => name.toLowerCase()
  const names = new Set(present.map(({ name }) => lower(name)))
  const missing = gone.find((name) => !names.has(lower(name)))
  if (missing !== undefined) {
    const there = present.length === 0 ? 'none' : [...new Set(present.map(({ name }) => name))].join(', ')
    throw wrongUsage(
      `--remove-header: the subscription has no header ${visible(missing)}; it has ${visible(there)}.`,
    )
  }
  const removed = new Set(gone.map(lower))
  const byName = Map.groupBy(given, ({ name }) => lower(name))
  const done = new Set<string>()
  const kept = present.flatMap((header): Wanted => {
    const name = lower(header.name)
    const instead = byName.get(name)
    if (instead === undefined)
      return removed.has(name) ? [] : [{ name: header.name, value: header.masked ? null : header.value }]
    if (done.has(name)) return []
    done.add(name)
    return instead
  })
  return [...kept, ...given.filter(({ name }) => !done.has(lower(name)))]
}

interface AddOptions extends SwitchOptions {
  readonly name?: string
  readonly method?: DeliveryMethod
  readonly header?: readonly string[]
  readonly headerEnv?: readonly string[]
  readonly kinds?: string
}
interface SetOptions extends AddOptions {
  readonly url?: string
  readonly removeHeader?: readonly string[]
}

const LIST = 'acuse sandbox subscriptions list'

/** `acuse sandbox subscriptions …`: as in the service, there is no other way to them than this and the window (rule 5). */
export function addSandboxSubscriptions(sandbox: Command, { terminal, exitWith }: CommandContext): void {
  const group = sandbox
    .command('subscriptions')
    .description('Where the sandbox sends which kinds of event: list, add, set, remove, test.')

  const list = group.command('list').description('List the subscriptions, with their ids.')
  examples(withCommon(list, 'print {"subscriptions": […]}'), [
    [LIST, 'for reading'],
    [`${LIST} --json | jq '.subscriptions[].id'`, 'their ids'],
  ]).action(({ data, json }: CommonOptions) =>
    usingSandbox(data, async (call) => {
      const listed = await call('sandbox.subscriptions', {})
      const { subscriptions } = listed
      await terminal.print(
        json ? `${JSON.stringify(listed)}\n` : subscriptions.map(subscriptionText).join('\n'),
      )
      for (const { id, warnings } of subscriptions)
        for (const warning of warnings) terminal.say(`Warning: subscription ${id}: ${warning}`)
      if (subscriptions.length === 0)
        terminal.say(
          'There are none. Add one with: acuse sandbox subscriptions add http://127.0.0.1:3000/hook',
        )
    }),
  )

  const add = group
    .command('add')
    .description('Subscribe an address: to all 28 kinds by POST, unless said otherwise.')
    .argument('<url>', 'the destination', addressFrom)
  examples(withCommon(withSettings(add, 'the address'), 'print the subscription'), [
    ['acuse sandbox subscriptions add http://127.0.0.1:3000/hook', 'all 28 kinds'],
    [
      "acuse sandbox subscriptions add https://erp.example/hook --method PUT --kinds 'factura.*,dgii.aprobado'",
      'some kinds, by PUT',
    ],
    [
      "acuse sandbox subscriptions add https://erp.example/hook --header-env 'X-Webhook-Secret: ACUSE_SECRET'",
      'with a secret from the environment',
    ],
  ]).action(async (url: string, options: AddOptions) => {
    const change = { url, ...settingsOf(options), headers: headersOf(options, terminal) }
    await usingSandbox(options.data, async (call) => {
      const added = await call('sandbox.save-subscription', change)
      await tell(added, `Subscription ${added.id} added.`, options, terminal)
    })
  })

  const set = group
    .command('set')
    .description('Change a subscription; what is not named stays as it is.')
    .argument('<id>', `its id, as "${LIST}" prints it`, idNumber)
    .option('--url <address>', 'the destination', addressFrom)
    .option(
      '--remove-header <name>',
      'send no header of this name any more; may stand several times',
      gathered,
    )
  examples(withCommon(withSettings(set, 'what it was'), 'print the subscription as it is then'), [
    ['acuse sandbox subscriptions set 2 --inactive', 'send nothing to it for now'],
    ["acuse sandbox subscriptions set 2 --kinds all --header 'X-Tenant: 5'", 'all kinds, one header more'],
  ]).action(async (id: number, options: SetOptions) => {
    const headers = headersOf(options, terminal)
    const gone = options.removeHeader ?? []
    const settings = { ...(options.url === undefined ? {} : { url: options.url }), ...settingsOf(options) }
    const steps = headers.length + gone.length
    if (Object.keys(settings).length + steps === 0)
      throw wrongUsage(
        'Say what to change: --url, --name, --method, --kinds, --header, --header-env, --remove-header, --active or --inactive.',
      )
    await usingSandbox(options.data, async (call) => {
      const list = steps === 0 ? {} : { headers: changedHeaders(await one(call, id), headers, gone) }
      const changed = await known(
        'subscription',
        id,
        LIST,
        call('sandbox.save-subscription', { id, ...settings, ...list }),
      )
      await tell(changed, `Subscription ${id} changed.`, options, terminal)
    })
  })

  const remove = group
    .command('remove')
    .description('Remove a subscription; what still waits for it is not sent any more.')
    .argument('<id>', `its id, as "${LIST}" prints it`, idNumber)
  examples(withCommon(remove, 'print {"removed": id}'), [
    ['acuse sandbox subscriptions remove 2', 'its id is never used again'],
  ]).action((id: number, { data, json }: CommonOptions) =>
    usingSandbox(data, async (call) => {
      const removed = await known('subscription', id, LIST, call('sandbox.remove-subscription', { id }))
      terminal.say(`Subscription ${id} removed.`)
      if (json) await terminal.print(`${JSON.stringify(removed)}\n`)
    }),
  )

  const test = group
    .command('test')
    .description(
      'Send the connectivity test, active or not, and show the answer. It is no event. Exit code 3 when the answer is no 2xx.',
    )
    .argument('<id>', `its id, as "${LIST}" prints it`, idNumber)
  examples(withCommon(test, "print the log's entry, with request and answer"), [
    ['acuse sandbox subscriptions test 2', 'outcome, status, time, answer'],
    ['acuse sandbox subscriptions test 2 --json | jq .answer.status', 'the status alone'],
  ]).action((id: number, { data, json }: CommonOptions) =>
    usingSandbox(data, async (call) => {
      const entry = await known('subscription', id, LIST, call('sandbox.test-subscription', { id }))
      await terminal.print(json ? `${JSON.stringify(entry)}\n` : testText(entry))
      if (entry.outcome === 'delivered') return
      exitWith(EXIT.failed)
      const why = entry.error ?? `it answered ${entry.status}, and only 2xx counts as received`
      terminal.say(`The test did not arrive at ${entry.url}: ${why}.`)
    }),
  )
}

/** @param otherwise what holds when an option is left out is the command's to say */
function withSettings(command: Command, otherwise: string): Command {
  const settings = command
    .option('--name <name>', `what it is called here (default: ${otherwise})`)
    .option('--method <method>', 'GET, PUT or POST; all three carry the body', methodFrom)
    .option('--header <name: value>', 'send this header too; may stand several times', gathered)
    .option('--header-env <name: variable>', 'the same, with the value of an environment variable', gathered)
    .option('--kinds <list>', 'names and wildcards with commas between them, or "all"')
  return withSwitch(settings, 'events are sent to it', 'nothing is sent to it')
}

function settingsOf(options: AddOptions): Omit<SandboxSubscriptionChange, 'id' | 'url' | 'headers'> {
  const { name, method, kinds } = options
  return {
    ...(name === undefined ? {} : { name }),
    ...(method === undefined ? {} : { method }),
    ...(kinds === undefined ? {} : { kinds: kindsFrom(kinds) }),
    ...switched(options),
  }
}

const headersOf = ({ header = [], headerEnv = [] }: AddOptions, { env }: Terminal) => [
  ...header.map(headerOf),
  ...headerEnv.map((text) => headerFromEnv(text, env)),
]

async function one(call: SandboxCall, id: number): Promise<SandboxSubscription['headers']> {
  const { subscriptions } = await call('sandbox.subscriptions', {})
  const found = subscriptions.find((subscription) => subscription.id === id)
  if (!found) throw unknownId('subscription', id, LIST)
  return found.headers
}

async function tell(
  subscription: SandboxSubscription,
  done: string,
  { json }: CommonOptions,
  terminal: Terminal,
): Promise<void> {
  await terminal.print(json ? `${JSON.stringify(subscription)}\n` : subscriptionText(subscription))
  terminal.say(done)
  for (const warning of subscription.warnings) terminal.say(`Warning: ${warning}`)
}
