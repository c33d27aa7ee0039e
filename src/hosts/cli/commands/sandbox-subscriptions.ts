import { shownValue } from '#contract/headers.ts'
import type { SandboxLogEntry, SandboxSubscription, SandboxSubscriptionChange } from '#contract/sandbox.ts'
import { durationText } from '#core/time/duration.ts'
import { argument, type Cli, command, defined, group, many, option, type Values } from '../shared/command.ts'
import { headerFromEnv, headerOf } from '../shared/destination.ts'
import { EXIT, wrongUsage } from '../shared/failures.ts'
import {
  activeOptions,
  IN_SANDBOX,
  kindsFrom,
  kindsText,
  methodFrom,
  type SandboxCall,
  sandboxAddress,
  switched,
  usingSandbox,
} from '../shared/sandbox-reach.ts'
import type { Terminal } from '../shared/terminal.ts'
import { shownUrl, visible, visibleLines } from '../shared/text.ts'
import {
  actOf,
  changedHeaders,
  idArgument,
  known,
  listOf,
  type Numbered,
  unknownId,
} from '../shared/things.ts'

function subscriptionText({ id, name, url, method, headers, kinds, active }: SandboxSubscription): string {
  const lines = [
    `${String(id).padEnd(4)} ${active ? 'active' : 'inactive'}  ${method} ${shownUrl(url)}`,
    ...(name === url ? [] : [`     Name     ${name}`]),
    `     Kinds    ${kindsText(kinds)}`,
    ...headers.map((one) => `     Header   ${one.name}: ${shownValue(one)}`),
  ]
  return `${lines.map(visible).join('\n')}\n`
}

function testText({ outcome, status, durationMs, method, url, error, answer }: SandboxLogEntry): string {
  const took = durationMs === null ? '' : durationText(durationMs * 1_000)
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

const settings = (otherwise: string) => ({
  name: option('<name>', `what it is called here (default: ${otherwise})`),
  method: option('<method>', 'GET, PUT or POST; all three carry the body', methodFrom),
  header: many('<name: value>', 'send this header too; repeatable'),
  headerEnv: many('<name: variable>', 'the same, with the value of an environment variable'),
  kinds: option('<kinds>', 'names and wildcards with commas between them, or "all"', kindsFrom),
  ...activeOptions('events are sent to it', 'nothing is sent to it'),
})

type Settings = Values<ReturnType<typeof settings>>

const settingsOf = ({ name, method, kinds, active, inactive }: Settings) => ({
  ...defined({ name, method, kinds }),
  ...switched({ active, inactive }),
})

const headersOf = ({ header = [], headerEnv = [] }: Settings, { env }: Terminal): readonly Wanted[] => [
  ...header.map(headerOf),
  ...headerEnv.map((text) => headerFromEnv(text, env)),
]

type Wanted = NonNullable<SandboxSubscriptionChange['headers']>[number]

const SUBSCRIPTIONS: Numbered<SandboxCall> = {
  noun: 'subscription',
  list: 'acuse sandbox subscriptions list',
  way: IN_SANDBOX,
}
const id = idArgument(SUBSCRIPTIONS.list)

export const sandboxSubscriptions = group(
  'subscriptions',
  'Where the sandbox sends which events: list, add, set, remove, test.',
  [
    listOf({
      about: 'List the subscriptions, with their ids.',
      json: 'print {"subscriptions": […]}',
      examples: [
        [SUBSCRIPTIONS.list, 'for reading'],
        [`${SUBSCRIPTIONS.list} --json | jq '.subscriptions[].id'`, 'their ids'],
      ],
      way: IN_SANDBOX,
      ask: (call) => call('sandbox.subscriptions', {}),
      texts: ({ subscriptions }) => subscriptions.map(subscriptionText),
      none: 'Add one with: acuse sandbox subscriptions add http://127.0.0.1:3000/hook',
      also({ subscriptions }, say) {
        for (const { id, warnings } of subscriptions)
          for (const warning of warnings) say(`Warning: subscription ${id}: ${warning}`)
      },
    }),
    command({
      name: 'add',
      about: 'Subscribe an address. Default: all 28 kinds, by POST.',
      args: { url: argument('<url>', 'the destination', sandboxAddress) },
      options: settings('the address'),
      json: 'print the subscription',
      examples: [
        ['acuse sandbox subscriptions add http://127.0.0.1:3000/hook', 'all 28 kinds'],
        [
          "acuse sandbox subscriptions add https://erp.example/hook --method PUT --kinds 'factura.*,dgii.aprobado'",
          'some kinds, by PUT',
        ],
        [
          "acuse sandbox subscriptions add https://erp.example/hook --header-env 'X-Webhook-Secret: ACUSE_SECRET'",
          'with a secret from the environment',
        ],
      ],
      async run({ url, ...given }, cli) {
        const change = { url, ...settingsOf(given), headers: headersOf(given, cli.terminal) }
        await usingSandbox(cli.folder, async (call) => {
          const added = await call('sandbox.save-subscription', change)
          await tell(added, `Subscription ${added.id} added.`, cli)
        })
      },
    }),
    command({
      name: 'set',
      about: 'Change a subscription. Options that you omit keep their values.',
      args: { id },
      options: {
        url: option('<address>', 'the destination', sandboxAddress),
        removeHeader: many('<name>', 'stop sending the header of this name; repeatable'),
        ...settings('what it was'),
      },
      json: 'print the subscription as it is then',
      examples: [
        ['acuse sandbox subscriptions set 2 --inactive', 'send nothing to it for now'],
        [
          "acuse sandbox subscriptions set 2 --kinds all --header 'X-Tenant: 5'",
          'all kinds, one header more',
        ],
      ],
      async run({ id, url, removeHeader: gone = [], ...given }, cli) {
        const headers = headersOf(given, cli.terminal)
        const change = { ...defined({ url }), ...settingsOf(given) }
        const steps = headers.length + gone.length
        if (Object.keys(change).length + steps === 0)
          throw wrongUsage(
            'Name what to change: --url, --name, --method, --kinds, --header, --header-env, --remove-header, --active or --inactive.',
          )
        await usingSandbox(cli.folder, async (call) => {
          const list = steps === 0 ? {} : { headers: await headersAfter(call, id, headers, gone) }
          const after = await known(
            SUBSCRIPTIONS,
            id,
            call('sandbox.save-subscription', { id, ...change, ...list }),
          )
          await tell(after, `Subscription ${id} changed.`, cli)
        })
      },
    }),
    actOf(
      SUBSCRIPTIONS,
      {
        name: 'remove',
        about: 'Remove a subscription. Events that still wait for it are not sent.',
        example: 'its id is never used again',
        past: 'removed',
      },
      (call, id) => call('sandbox.remove-subscription', { id }),
    ),
    command({
      name: 'test',
      about:
        'Send the connectivity test, active or not, and show the answer. It is not an event. Exit code 3 when the answer is not 2xx.',
      args: { id },
      json: "print the log's entry, with request and answer",
      examples: [
        ['acuse sandbox subscriptions test 2', 'outcome, status, time, answer'],
        ['acuse sandbox subscriptions test 2 --json | jq .answer.status', 'the status alone'],
      ],
      run: ({ id }, cli) =>
        usingSandbox(cli.folder, async (call) => {
          const entry = await known(SUBSCRIPTIONS, id, call('sandbox.test-subscription', { id }))
          await cli.print(entry, testText(entry))
          if (entry.outcome === 'delivered') return
          cli.exitWith(EXIT.failed)
          const why = entry.error ?? `it answered ${entry.status}, and only 2xx counts as received`
          cli.terminal.say(`The test did not arrive at ${entry.url}: ${why}.`)
        }),
    }),
  ],
)

/** Merges header changes into the saved headers; masked ones keep their value, which this process does not know. */
async function headersAfter(
  call: SandboxCall,
  id: number,
  given: readonly Wanted[],
  gone: readonly string[],
): Promise<readonly Wanted[]> {
  const { subscriptions } = await call('sandbox.subscriptions', {})
  const found = subscriptions.find((subscription) => subscription.id === id)
  if (!found) throw unknownId(SUBSCRIPTIONS, id)
  const there = [...new Set(found.headers.map(({ name }) => name))].join(', ') || 'none'
  const present = found.headers.map(({ name, value, masked }) => ({ name, value: masked ? null : value }))
  return changedHeaders(
    present,
    given,
    gone,
    (name) => `the subscription has no header ${name}; it has ${visible(there)}.`,
  )
}

async function tell(subscription: SandboxSubscription, sentence: string, cli: Cli): Promise<void> {
  await cli.print(subscription, subscriptionText(subscription))
  cli.terminal.say(sentence)
  for (const warning of subscription.warnings) cli.terminal.say(`Warning: ${warning}`)
}
