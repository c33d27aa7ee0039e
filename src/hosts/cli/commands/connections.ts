import { type Command, InvalidArgumentError, Option } from 'commander'
import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import { endpointName, headerName, httpUrl } from '#contract/params.ts'
import type { SyncRoute } from '#contract/reconcile.ts'
import { SYNC_ROUTES } from '#contract/values.ts'
import { KIND_NAMES } from '#core/filter/values.ts'
import {
  type ConnectionChange,
  type CredentialOptions,
  changedConnection,
  credentialFrom,
  documentTypesFrom,
  knownConnection,
  mappingFrom,
  plainAddressWarning,
  SERVICE_EXPOSED,
} from '../shared/connection-change.ts'
import { connectionTestText, connectionText } from '../shared/connection-text.ts'
import { EXIT, wrongUsage } from '../shared/failures.ts'
import { gathered } from '../shared/header-option.ts'
import { type CommonOptions, examples, wholeNumber, withCommon, yesNo } from '../shared/options.ts'
import { reach, reachExisting, using } from '../shared/reach.ts'
import { kindsFrom } from '../shared/sandbox-reach.ts'
import type { CommandContext, Terminal } from '../shared/terminal.ts'
import { addSchedule } from './schedule.ts'

interface SetOptions extends CommonOptions {
  readonly baseUrl?: string
  readonly rename?: string
  readonly endpoint?: readonly string[]
  readonly allEndpoints?: boolean
  readonly kinds?: string
  readonly zone?: string
  readonly apiKeyEnv?: string
  readonly apiKeyStdin?: boolean
  readonly forgetApiKey?: boolean
  readonly pluginTokenEnv?: string
  readonly pluginTokenStdin?: boolean
  readonly forgetPluginToken?: boolean
  readonly pluginHeader?: string
  readonly pluginScheme?: string
  readonly connectTimeout?: number
  readonly answerTimeout?: number
  readonly totalTimeout?: number
  readonly proxy?: string
  readonly anyCertificate?: boolean
  readonly map?: readonly string[]
  readonly forgetMapping?: boolean
  readonly documentTypes?: string
  readonly typesComplete?: boolean
  readonly issuedHours?: number
  readonly returnedMinutes?: number
  readonly ignoreField?: readonly string[]
  readonly ignoreNothing?: boolean
}

interface TestOptions extends CommonOptions {
  readonly route: SyncRoute
}

const milliseconds = wholeNumber(1, 3_600_000)

/** `acuse connections …`: the accounts of the service whose deliveries can be reconciled. */
export function addConnections(program: Command, { terminal, exitWith }: CommandContext): void {
  const group = program
    .command('connections')
    .description(
      'Accounts of the service, to reconcile with and to publish to: list, set, remove, test, schedule.',
    )

  const list = group
    .command('list')
    .description('List the connections; of keys and tokens only where they lie.')
  examples(withCommon(list, 'print {"connections": […]}'), [
    ['acuse connections list', 'for reading'],
    ["acuse connections list --json | jq -r '.connections[].name'", 'their names'],
  ]).action(({ data, json }: CommonOptions) =>
    using(reachExisting(data, terminal), async ({ call }) => {
      const { connections } = await call('settings.get', {})
      await terminal.print(
        json ? `${JSON.stringify({ connections })}\n` : connections.map(connectionText).join('\n'),
      )
      if (connections.length === 0)
        terminal.say(
          'There are none. Make one with: acuse connections set NAME --base-url https://service.example --api-key-env ACUSE_API_KEY',
        )
    }),
  )

  addSet(group, terminal)

  const remove = group
    .command('remove')
    .description('Remove a connection with its key and token; no sweep of it may be running.')
    .argument('<name>', 'its name', connectionName)
  examples(withCommon(remove, 'print {"removed": name}'), [
    ['acuse connections remove erp', 'what was captured stays'],
  ]).action((name: string, { data, json }: CommonOptions) =>
    using(reachExisting(data, terminal), async ({ call }) => {
      knownConnection(name, (await call('settings.get', {})).connections)
      await call('connections.remove', { name })
      terminal.say(`Connection ${name} removed.`)
      if (json) await terminal.print(`${JSON.stringify({ removed: name })}\n`)
    }),
  )

  const test = group
    .command('test')
    .description('Ask for one item and show the answer. Exit code 3 when it does not work.')
    .argument('<name>', 'its name', connectionName)
    .addOption(new Option('--route <route>', 'which route').choices(SYNC_ROUTES).default('accounting'))
  examples(withCommon(test, 'print {"ok","status","message","items","mapping","sample"}'), [
    ['acuse connections test erp', 'key, address and what an item looks like'],
  ]).action((name: string, { data, json, route }: TestOptions) =>
    using(reachExisting(data, terminal), async ({ call }) => {
      knownConnection(name, (await call('settings.get', {})).connections)
      const result = await call('connections.test', { name, route })
      await terminal.print(json ? `${JSON.stringify(result)}\n` : connectionTestText(result))
      if (!result.ok) exitWith(EXIT.failed)
    }),
  )

  addSchedule(group, connectionName, { terminal, exitWith })
}

function addSet(group: Command, terminal: Terminal): void {
  const { connectMs, answerMs, totalMs } = DEFAULT_CONNECTION.timeouts
  const set = group
    .command('set')
    .description('Make a connection, or change one; what is not named stays as it is.')
    .argument('<name>', 'its name: a-z, 0-9 and "-"', connectionName)
    .option('--base-url <address>', "where the service is, without the routes' own path", baseUrlFrom)
    .option('--rename <name>', 'give it another name', connectionName)
    .option('--api-key-env <variable>', 'take the API key from this environment variable, and store it')
    .option('--api-key-stdin', 'take it from stdin, and store it')
    .option('--forget-api-key', 'forget the stored one')
    .option('--plugin-token-env <variable>', "take the plugin's token from this environment variable")
    .option('--plugin-token-stdin', 'take it from stdin')
    .option('--forget-plugin-token', 'forget the stored one')
    .option('--plugin-header <name>', 'header that the token travels in (Authorization)', headerFrom)
    .option('--plugin-scheme <scheme>', 'what stands before the token (Bearer); "" for nothing')
    .option('--endpoint <name>', 'endpoint whose deliveries belong to it; all that do, each time', gathered)
    .option('--all-endpoints', 'the deliveries of all endpoints belong to it')
    .option('--kinds <kinds>', 'what the subscription has selected: names, wildcards, or all')
    .option('--zone <name>', `time zone of dates (${DEFAULT_CONNECTION.zone})`, zoneFrom)
    .option('--connect-timeout <ms>', `for look-up, connection and TLS (${connectMs})`, milliseconds)
    .option('--answer-timeout <ms>', `for a page to begin (${answerMs})`, milliseconds)
    .option('--total-timeout <ms>', `for a page as a whole (${totalMs})`, milliseconds)
    .option('--proxy <which>', 'environment, none, or the address of one', proxyFrom)
    .option('--any-certificate <yes|no>', 'accept any certificate (no)', yesNo)
    .option('--map <value=pointer>', 'where a value of an item stands, such as issuedAt=/Meta/Date', gathered)
    .option('--forget-mapping', 'find all values by their names again')
    .option('--document-types <type=group,…>', 'events of types that no capture or Number tells; or none')
    .option('--types-complete <yes|no>', 'these are all types that the service has (no)', yesNo)
    .option('--issued-hours <n>', 'not yet due: issued within so many hours', wholeNumber(0, 8_760))
    .option('--returned-minutes <n>', '… and first returned within so many minutes', wholeNumber(0, 525_600))
    .option('--ignore-field <name>', 'field whose differences do not count; all such, each time', gathered)
    .option('--ignore-nothing', 'differences of every field count')
  examples(withCommon(set, 'print the connection as it is then'), [
    ['acuse connections set erp --base-url https://service.example --api-key-env ACUSE_API_KEY', 'make one'],
    ['acuse connections set erp --api-key-stdin < key.txt', 'another key'],
    ["acuse connections set erp --endpoint orders --kinds 'factura.*,dgii.*'", 'say what belongs to it'],
  ]).action(async (name: string, options: SetOptions) => {
    const change = changeOf(options)
    if (options.apiKeyStdin && options.pluginTokenStdin)
      throw wrongUsage('Only one of key and token can come from stdin.')
    const apiKey = await credentialFrom('--api-key', keyOptions(options), terminal)
    const pluginToken = await credentialFrom('--plugin-token', tokenOptions(options), terminal)
    const credentials = { ...given('apiKey', apiKey), ...given('pluginToken', pluginToken) }
    if (Object.keys({ ...change, ...credentials }).length === 0)
      throw wrongUsage('Say what to set; "acuse connections set --help" shows what there is.')
    await using(reach(options.data, terminal), async ({ call }) => {
      const { connections } = await call('settings.get', {})
      const present = connections.find((one) => one.name === name)
      const wanted = changedConnection(name, present, change)
      const saved = await call('connections.save', {
        ...(present === undefined ? {} : { previousName: name }),
        ...credentials,
        ...wanted,
      })
      terminal.say(`Connection ${wanted.name} ${present === undefined ? 'made' : 'changed'}.`)
      const warning = plainAddressWarning(change.baseUrl, SERVICE_EXPOSED)
      if (warning !== null) terminal.say(warning)
      const shown = saved.connections.find((one) => one.name === wanted.name)
      if (options.json) await terminal.print(`${JSON.stringify(shown)}\n`)
    })
  })
}

const keyOptions = (options: SetOptions): CredentialOptions => ({
  ...given('env', options.apiKeyEnv),
  ...given('stdin', options.apiKeyStdin),
  ...given('forget', options.forgetApiKey),
})
const tokenOptions = (options: SetOptions): CredentialOptions => ({
  ...given('env', options.pluginTokenEnv),
  ...given('stdin', options.pluginTokenStdin),
  ...given('forget', options.forgetPluginToken),
})

/** @throws CommandFailure where two options contradict each other */
function changeOf(options: SetOptions): ConnectionChange {
  const either = (a: unknown, b: unknown, sentence: string) => {
    if (a && b) throw wrongUsage(sentence)
  }
  either(options.endpoint, options.allEndpoints, 'Give either --endpoint or --all-endpoints.')
  either(options.map, options.forgetMapping, 'Give either --map or --forget-mapping.')
  either(options.ignoreField, options.ignoreNothing, 'Give either --ignore-field or --ignore-nothing.')
  const kinds = options.kinds === undefined ? undefined : kindsFrom(options.kinds)
  return {
    ...given('baseUrl', options.baseUrl),
    ...given('name', options.rename),
    ...given('endpoints', options.allEndpoints ? [] : options.endpoint),
    ...given('kinds', kinds?.length === KIND_NAMES.length ? null : kinds),
    ...given('zone', options.zone),
    ...some('pluginHeader', {
      ...given('name', options.pluginHeader),
      ...given('scheme', options.pluginScheme),
    }),
    ...some('timeouts', {
      ...given('connectMs', options.connectTimeout),
      ...given('answerMs', options.answerTimeout),
      ...given('totalMs', options.totalTimeout),
    }),
    ...given('proxy', options.proxy),
    ...given('acceptAnyCertificate', options.anyCertificate),
    ...given('mapping', options.forgetMapping ? null : options.map && mappingFrom(options.map)),
    ...given(
      'documentTypes',
      options.documentTypes === undefined ? undefined : documentTypesFrom(options.documentTypes),
    ),
    ...given('documentTypesComplete', options.typesComplete),
    ...some('notYetDue', {
      ...given('issuedHours', options.issuedHours),
      ...given('returnedMinutes', options.returnedMinutes),
    }),
    ...given('ignoredFields', options.ignoreNothing ? [] : options.ignoreField),
  }
}

function connectionName(text: string): string {
  if (endpointName.safeParse(text).success) return text
  throw new InvalidArgumentError('Use 1 to 60 characters of a-z, 0-9 and "-".')
}

/** Where the service is, without a slash at the end, as the routes' own path begins with one. */
export function baseUrlFrom(text: string): string {
  const parsed = httpUrl.safeParse(text)
  if (!parsed.success)
    throw new InvalidArgumentError('Give an http:// or https:// address without user and password.')
  const url = new URL(text)
  if (url.search !== '' || url.hash !== '')
    throw new InvalidArgumentError('Give the address without a query: the routes have their own.')
  return text.replace(/\/+$/, '')
}

function headerFrom(text: string): string {
  if (headerName.safeParse(text).success) return text
  throw new InvalidArgumentError('Give the name of a header.')
}

function zoneFrom(text: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }) && text
  } catch {
    throw new InvalidArgumentError('Give the name of a time zone, such as America/Santo_Domingo.')
  }
}

function proxyFrom(text: string): string {
  if (text === 'environment' || text === 'none' || httpUrl.safeParse(text).success) return text
  throw new InvalidArgumentError('Give environment, none, or an http:// address without user and password.')
}

const given = <N extends string, V>(name: N, value: V | undefined): Partial<Record<N, V>> =>
  value === undefined ? {} : ({ [name]: value } as Record<N, V>)

const some = <N extends string, V extends object>(name: N, value: V): Partial<Record<N, V>> =>
  Object.keys(value).length === 0 ? {} : ({ [name]: value } as Record<N, V>)
