import { DEFAULT_TARGET } from '#contract/defaults.ts'
import { type Target, target } from '#contract/target.ts'
import { changed, changeOf, flag, group, many, membersOf, type Values } from '../shared/command.ts'
import { timeoutsText } from '../shared/connection-text.ts'
import { addressFrom, headerOf, secretHeaderOf, TARGET_NOUN } from '../shared/destination.ts'
import type { Terminal } from '../shared/terminal.ts'
import { block, shownUrl } from '../shared/text.ts'
import { changedHeaders, EXISTING, listOf, makeOne, removeOf, setOf, type Things } from '../shared/things.ts'

const AS_RECEIVED = 'as-received'

function targetText(one: Target, isDefault = false): string {
  const usual = JSON.stringify(one.timeouts) === JSON.stringify(DEFAULT_TARGET.timeouts)
  return block(`${one.name}${isDefault ? ' (default)' : ''}  ${shownUrl(one.url)}`, [
    ['Method', one.method],
    ['Path', one.path === 'append' ? "the delivery's behind it" : null],
    ['Query', one.query === 'target' ? "the address's own" : null],
    ...one.headers.map(
      ({ name, value, secret }) => ['Header', `${name}: ${secret ? '<secret>' : value}`] as const,
    ),
    ['Strips', one.remove.join(', ') || null],
    ['Time-outs', usual ? null : timeoutsText(one)],
    ['Accepts', one.acceptAnyCertificate ? 'any certificate' : null],
    ['Keeps', one.keepSecret ? "the receiver's secret header" : null],
    ['Keeps', one.keepCredentials ? "the delivery's Cookie and Authorization" : null],
    ['Marks', one.markReplays ? null : 'nothing: X-Acuse-Replay is not sent'],
  ])
}

const TARGETS: Things<Target> = {
  ...TARGET_NOUN,
  all: async (call) => (await call('settings.get', {})).targets,
}

const member = membersOf<Target>(target, DEFAULT_TARGET)
const OPTIONS = {
  url: member('url', '<address>', 'where it is', addressFrom),
  rename: member('name', '<name>', 'give it another name'),
  method: member(
    'method',
    '<method>',
    `send by this method; "${AS_RECEIVED}" for each delivery's own`,
    (text) => (text.toLowerCase() === AS_RECEIVED ? null : text),
  ),
  path: member('path', '<whose>', "the address's own path, or the delivery's behind it"),
  query: member('query', '<whose>', "the address's own query, or the delivery's behind it"),
  header: many('<name: value>', 'add this header, or put it in place of the one received'),
  secretHeader: many('<name=VARIABLE>', 'the same, with the value of an environment variable'),
  removeHeader: many('<name>', 'stop adding the header of this name'),
  strip: member('remove', '<name>', 'do not send this header of the delivery; all that are to go, each time'),
  stripNothing: { ...flag('send all headers of the delivery again'), not: ['strip'] },
  connectTimeout: member('timeouts.connectMs', '<ms>', 'for look-up, connection and TLS'),
  answerTimeout: member('timeouts.answerMs', '<ms>', 'from the last byte sent to the answer'),
  totalTimeout: member('timeouts.totalMs', '<ms>', 'for the whole attempt'),
  anyCertificate: member('acceptAnyCertificate', '<yes|no>', 'accept any certificate'),
  keepSecret: member(
    'keepSecret',
    '<yes|no>',
    "send the receiver's secret header, though it is not loopback",
  ),
  keepCredentials: member(
    'keepCredentials',
    '<yes|no>',
    "send the delivery's Cookie and Authorization, though it is not loopback",
  ),
  markReplays: member('markReplays', '<yes|no>', 'send X-Acuse-Replay'),
  default: flag('make it the one that the window sends to'),
}

export const targets = group('targets', 'Destinations of replays and forwards: list, set, remove.', [
  listOf({
    about: 'List the targets. Secret headers appear only by name.',
    json: 'print {"targets": […], "defaultTarget"}',
    examples: [
      ['acuse targets list', 'for reading'],
      ["acuse targets list --json | jq -r '.targets[].name'", 'their names'],
    ],
    way: EXISTING,
    ask: async (call) => {
      const { targets, defaultTarget } = await call('settings.get', {})
      return { targets, defaultTarget }
    },
    texts: ({ targets, defaultTarget }) => targets.map((one) => targetText(one, one.name === defaultTarget)),
    none: makeOne(TARGETS),
  }),
  setOf(TARGETS, {
    options: OPTIONS,
    examples: [
      ['acuse targets set local --url http://127.0.0.1:3000/hook', 'a handler on this machine'],
      [
        "acuse targets set staging --url https://erp.example/hook --secret-header 'Authorization=STAGING_TOKEN'",
        'with a secret from the environment',
      ],
      ["acuse targets set staging --header 'X-Tenant: 5' --strip X-Webhook-Secret", 'change headers'],
    ],
    complete: ({ url }) => url !== undefined,
    read: (given, { terminal }) => headersOf(given, terminal),
    async save(headers, given, { call, name, old, previous }) {
      const change = { ...changeOf(OPTIONS, given), ...(given.stripNothing ? { remove: [] } : {}) }
      const wanted = changed(old ?? { ...DEFAULT_TARGET, name, url: '' }, change)
      const gone = given.removeHeader ?? []
      await call('targets.save', {
        ...previous,
        ...wanted,
        headers: changedHeaders(
          old?.headers ?? [],
          headers,
          gone,
          (one) => `the target adds no header ${one}.`,
        ),
      })
      if (given.default) await call('targets.set-default', { name: wanted.name })
      return wanted.name
    },
  }),
  removeOf(TARGETS, 'Remove a target and its secrets. Fails while a forward or an unfinished job uses it.', [
    'acuse targets remove staging',
    'attempts made to it stay',
  ]),
])

type Given = Pick<Values<typeof OPTIONS>, 'header' | 'secretHeader'>
const headersOf = ({ header = [], secretHeader = [] }: Given, { env }: Terminal): Target['headers'] => [
  ...header.map(headerOf).map((one) => ({ ...one, secret: false })),
  ...secretHeader.map((text) => ({ ...secretHeaderOf(text, env), secret: true })),
]
