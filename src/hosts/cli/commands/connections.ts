import { z } from 'zod'
import {
  type Connection,
  connection,
  type ItemMapping,
  MAPPED_FIELDS,
  type MappedField,
} from '#contract/connection.ts'
import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import { headerValue } from '#contract/params.ts'
import { DOCUMENT_GROUPS, MOST_DOCUMENT_TYPES, SYNC_ROUTES } from '#contract/values.ts'
import { KIND_NAMES } from '#core/filter/values.ts'
import { type DocumentTypesProblem, readDocumentTypes } from '#core/reconcile/documents.ts'
import {
  baseUrlFrom,
  CONNECTIONS,
  plainAddressWarning,
  SERVICE_EXPOSED,
  withoutCredentials,
} from '../shared/account.ts'
import {
  changed,
  changeOf,
  command,
  defined,
  flag,
  group,
  many,
  membersOf,
  option,
  preset,
} from '../shared/command.ts'
import { connectionTestText, connectionText } from '../shared/connection-text.ts'
import { EXIT, wrongUsage } from '../shared/failures.ts'
import { kindsFrom } from '../shared/sandbox-reach.ts'
import { stdinValue, type Terminal } from '../shared/terminal.ts'
import { visible } from '../shared/text.ts'
import { EXISTING, find, listOf, makeOne, nameArgument, removeOf, setOf } from '../shared/things.ts'
import { schedule } from './schedule.ts'

/** An escape that RFC 6901 does not define. The contract accepts it, so that saved connections with one still load. */
const FALSE_ESCAPE = /~(?![01])/
/** Accepts the root pointer only for `accounting`: the item itself is no value, but it may hold the accounting fields. */
const isPointer = (field: MappedField, text: string): boolean =>
  text.startsWith('/') || (text === '' && field === 'accounting')

/** Parses `--map`, such as "issuedAt=/Meta/Date" or "voided=none". @throws CommandFailure */
export function mappingFrom(texts: readonly string[]): Partial<ItemMapping> {
  const found: Partial<Record<MappedField, string | null>> = {}
  for (const text of texts) {
    const at = text.indexOf('=')
    const field = MAPPED_FIELDS.find((one) => one === text.slice(0, at).trim())
    const pointer = text.slice(at + 1).trim()
    if (at < 0 || field === undefined || !(pointer === 'none' || isPointer(field, pointer)))
      throw wrongUsage(
        `--map takes value=/pointer, such as issuedAt=/Meta/Date, or value=none, or accounting= where its fields are flat on the item; values are ${MAPPED_FIELDS.join(', ')}; not "${visible(text)}".`,
      )
    if (FALSE_ESCAPE.test(pointer))
      throw wrongUsage(
        `--map takes pointers that write "~" as ~0 and "/" within a name as ~1; "${visible(text)}" has a "~" followed by neither, so it would find nothing.`,
      )
    if (field in found) throw wrongUsage(`--map names ${field} twice; give each value once.`)
    found[field] = pointer === 'none' ? null : pointer
  }
  return found
}

const TYPES_WRONG: Readonly<Record<DocumentTypesProblem['problem'], (part: string) => string>> = {
  form: (part) => `"${part}" is not of the form type=group`,
  id: (part) => `"${part}" is not a document type; give its number`,
  group: (part) => `"${part}" is not a group of events; give ${DOCUMENT_GROUPS.join(', ')}`,
  twice: (part) => `document type ${part} occurs twice; give each once`,
  many: () => `these are too many; give at most ${MOST_DOCUMENT_TYPES}`,
}

/** Parses `--document-types`, such as "31=factura,34=nota_credito", or "none". @throws CommandFailure */
export function documentTypesFrom(text: string): Connection['documentTypes'] {
  if (text.trim() === 'none') return []
  const read = readDocumentTypes(text)
  const wrong = (sentence: string) =>
    wrongUsage(`--document-types takes type=group, such as 31=factura,34=nota_credito, or none: ${sentence}.`)
  if ('problem' in read) throw wrong(TYPES_WRONG[read.problem](visible(read.part)))
  // An empty variable in a script must not delete the saved types.
  if (read.types.length === 0) throw wrong('it is empty')
  return read.types
}

interface CredentialOptions {
  /** Name of an environment variable. */
  readonly env: string | undefined
  readonly stdin: boolean
  readonly forget: boolean
}

/** Reads a credential from stdin or the environment: process lists and shell history show neither. @returns undefined: keep; null: delete */
async function credentialFrom(option: string, { env, stdin, forget }: CredentialOptions, terminal: Terminal) {
  if (forget) return null
  if (env === undefined && !stdin) return undefined
  const prompt = `Reading the ${option.slice(2).replace('-', ' ')} from stdin, up to its end.`
  const value =
    env === undefined ? await stdinValue(terminal, prompt) : fromEnvironment(option, env, terminal.env)
  if (value === '' || !headerValue.safeParse(value).success || value.trim() !== value)
    throw wrongUsage(`${option}: its value is empty or not valid in a header.`)
  return value
}

function fromEnvironment(option: string, name: string, env: Terminal['env']): string {
  const value = env[name]
  if (value) return value
  // A value typed here by mistake is in the shell's history already; do not print it too.
  throw wrongUsage(
    /^[A-Za-z_]\w*$/.test(name) && name.length <= 40
      ? `${option}-env: the environment has no ${visible(name)}.`
      : `${option}-env takes the name of an environment variable, not the value.`,
  )
}

const member = membersOf<Connection>(connection, DEFAULT_CONNECTION)
const OPTIONS = {
  baseUrl: member('baseUrl', '<address>', "where the service is, without the routes' own path", baseUrlFrom),
  rename: member('name', '<name>', 'give it another name'),
  apiKeyEnv: option('<variable>', 'take the API key from this environment variable, and store it'),
  apiKeyStdin: { ...flag('take it from stdin, and store it'), not: ['apiKeyEnv', 'pluginTokenStdin'] },
  forgetApiKey: { ...flag('forget the stored one'), not: ['apiKeyEnv', 'apiKeyStdin'] },
  pluginTokenEnv: option('<variable>', "take the plugin's token from this environment variable"),
  pluginTokenStdin: { ...flag('take it from stdin'), not: ['pluginTokenEnv'] },
  forgetPluginToken: { ...flag('forget the stored one'), not: ['pluginTokenEnv', 'pluginTokenStdin'] },
  pluginHeader: member('pluginHeader.name', '<name>', 'header that the token travels in'),
  pluginScheme: member('pluginHeader.scheme', '<scheme>', 'text before the token; "" for none'),
  endpoint: member('endpoints', '<name>', 'endpoint whose deliveries belong to it; all that do, each time'),
  allEndpoints: { ...flag('the deliveries of all endpoints belong to it'), not: ['endpoint'] },
  kinds: option('<kinds>', 'what the subscription has selected: names, wildcards, or all', kindsFrom),
  zone: member('zone', '<name>', 'time zone of dates'),
  connectTimeout: member('timeouts.connectMs', '<ms>', 'for look-up, connection and TLS'),
  answerTimeout: member('timeouts.answerMs', '<ms>', 'for a page to begin'),
  totalTimeout: member('timeouts.totalMs', '<ms>', 'for a page as a whole'),
  proxy: member('proxy', '<which>', 'environment, none, or the address of one'),
  anyCertificate: member('acceptAnyCertificate', '<yes|no>', 'accept any certificate'),
  map: many('<value=pointer>', 'where an item holds a value, such as issuedAt=/Meta/Date'),
  forgetMapping: { ...flag('find all values by their names again'), not: ['map'] },
  documentTypes: option(
    '<type=group,…>',
    'events of types that neither captures nor the Number show; or none',
    documentTypesFrom,
  ),
  typesComplete: member('documentTypesComplete', '<yes|no>', 'these are all types that the service has'),
  issuedHours: member('notYetDue.issuedHours', '<n>', 'not yet due: issued within this many hours'),
  returnedMinutes: member(
    'notYetDue.returnedMinutes',
    '<n>',
    '… and first returned within this many minutes',
  ),
  ignoreField: member('ignoredFields', '<name>', 'field whose differences do not count; all such, each time'),
  ignoreNothing: { ...flag('differences of every field count'), not: ['ignoreField'] },
}

const set = setOf(CONNECTIONS, {
  options: OPTIONS,
  examples: [
    ['acuse connections set erp --base-url https://service.example --api-key-env ACUSE_API_KEY', 'make one'],
    ['acuse connections set erp --api-key-stdin < key.txt', 'another key'],
    ["acuse connections set erp --endpoint orders --kinds 'factura.*,dgii.*'", 'say what belongs to it'],
  ],
  complete: ({ baseUrl }) => baseUrl !== undefined,
  async read(given, { terminal }) {
    const { kinds } = given
    const change = {
      ...changeOf(OPTIONS, given),
      ...defined({ documentTypes: given.documentTypes }),
      ...(given.allEndpoints ? { endpoints: [] } : {}),
      ...(kinds ? { kinds: kinds.length === KIND_NAMES.length ? null : kinds } : {}),
      ...(given.map ? { mapping: mappingFrom(given.map) } : given.forgetMapping ? { mapping: null } : {}),
      ...(given.ignoreNothing ? { ignoredFields: [] } : {}),
    }
    const { apiKeyEnv, apiKeyStdin, forgetApiKey, pluginTokenEnv, pluginTokenStdin, forgetPluginToken } =
      given
    const key = { env: apiKeyEnv, stdin: apiKeyStdin, forget: forgetApiKey }
    const apiKey = await credentialFrom('--api-key', key, terminal)
    const token = { env: pluginTokenEnv, stdin: pluginTokenStdin, forget: forgetPluginToken }
    const pluginToken = await credentialFrom('--plugin-token', token, terminal)
    return { change, credentials: defined({ apiKey, pluginToken }) }
  },
  async save({ change, credentials }, { baseUrl }, { call, cli, name, old, previous }) {
    const before = withoutCredentials(old ?? { ...DEFAULT_CONNECTION, name, baseUrl: '' })
    const wanted = changed(before, change)
    await call('connections.save', { ...previous, ...credentials, ...wanted })
    const warning = plainAddressWarning(baseUrl, SERVICE_EXPOSED)
    if (warning !== null) cli.terminal.say(warning)
    return wanted.name
  },
})

export const connections = group(
  'connections',
  'Accounts of the service, to reconcile with and to publish to: list, set, remove, test, schedule.',
  [
    listOf({
      about: 'List the connections. Keys and tokens appear only as the place where they are stored.',
      json: 'print {"connections": […]}',
      examples: [
        ['acuse connections list', 'for reading'],
        ["acuse connections list --json | jq -r '.connections[].name'", 'their names'],
      ],
      way: EXISTING,
      ask: async (call) => ({ connections: await CONNECTIONS.all(call) }),
      texts: ({ connections: all }) => all.map(connectionText),
      none: makeOne(CONNECTIONS),
    }),
    set,
    removeOf(
      CONNECTIONS,
      'Remove a connection with its key and token. Fails while one of its sweeps is running.',
      ['acuse connections remove erp', 'what was captured stays'],
    ),
    command({
      name: 'test',
      about: 'Ask for one item and show the answer. Exit code 3 when it does not work.',
      args: { name: nameArgument },
      options: { route: preset('<route>', 'which route', z.enum(SYNC_ROUTES), 'accounting') },
      json: 'print {"ok","status","message","problem","items","mapping","sample"}',
      examples: [['acuse connections test erp', 'key, address and what an item looks like']],
      run: ({ name, route }, cli) =>
        cli.existing(async ({ call }) => {
          find(CONNECTIONS, name, await CONNECTIONS.all(call))
          const result = await call('connections.test', { name, route })
          await cli.print(result, connectionTestText(result))
          if (!result.ok) cli.exitWith(EXIT.failed)
        }),
    }),
    schedule,
  ],
)
