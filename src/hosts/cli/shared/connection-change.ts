import { createHash } from 'node:crypto'
import type { Connection, ItemMapping, MappedField } from '#contract/connection.ts'
import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import { AcuseError } from '#contract/errors.ts'
import { headerValue } from '#contract/params.ts'
import { DOCUMENT_GROUPS, MOST_DOCUMENT_TYPES } from '#contract/values.ts'
import { addressProblem } from '#core/connect/reach.ts'
import { nearest } from '#core/filter/nearest.ts'
import { type DocumentTypesProblem, readDocumentTypes } from '#core/reconcile/document-types.ts'
import { couldNot, wrongUsage } from './failures.ts'
import type { Reached } from './reach.ts'
import type { Terminal } from './terminal.ts'
import { knownNames, visible } from './text.ts'

/** A connection without its credentials, which no command shows. */
type ConnectionSettings = Omit<Connection, 'apiKey' | 'pluginToken'>

/** What is to be different; what is left out stays. */
export interface ConnectionChange
  extends Partial<Omit<ConnectionSettings, 'timeouts' | 'notYetDue' | 'pluginHeader'>> {
  readonly timeouts?: Partial<Connection['timeouts']>
  readonly notYetDue?: Partial<Connection['notYetDue']>
  readonly pluginHeader?: Partial<Connection['pluginHeader']>
}

/**
 * A connection as it will be.
 * @param present undefined for a new one
 * @throws CommandFailure for a new one without an address
 */
export function changedConnection(
  name: string,
  present: Connection | undefined,
  change: ConnectionChange,
): ConnectionSettings {
  const baseUrl = change.baseUrl ?? present?.baseUrl
  if (baseUrl === undefined)
    throw wrongUsage(
      `There is no connection named "${name}" yet; make it with: acuse connections set ${name} --base-url https://service.example --api-key-env ACUSE_API_KEY`,
    )
  const { apiKey: _key, pluginToken: _token, ...before } = present ?? { ...DEFAULT_CONNECTION, name }
  const { mapping } = change
  return {
    ...before,
    ...change,
    baseUrl,
    name: change.name ?? name,
    timeouts: { ...before.timeouts, ...change.timeouts },
    notYetDue: { ...before.notYetDue, ...change.notYetDue },
    pluginHeader: { ...before.pluginHeader, ...change.pluginHeader },
    // Corrections are made one at a time; null takes all of them back.
    mapping: mapping ? { ...before.mapping, ...mapping } : mapping === null ? null : before.mapping,
  }
}

const MAPPED: readonly MappedField[] = [
  'documentId',
  'number',
  'issuedAt',
  'documentType',
  'status',
  'voided',
  'accounting',
]

/** What RFC 6901 has no meaning for. The contract lets it be: connections that were kept with one must still be read. */
const FALSE_ESCAPE = /~(?![01])/

/** The item itself, as the root pointer names it, is no value but the place of the accounting fields. */
const isPointer = (field: MappedField, text: string): boolean =>
  text.startsWith('/') || (text === '' && field === 'accounting')

/**
 * Reads what `--map` takes.
 * @param texts such as "issuedAt=/Meta/Date" or "voided=none"
 * @throws CommandFailure saying what is wrong with them
 */
export function mappingFrom(texts: readonly string[]): Partial<ItemMapping> {
  const found: Partial<Record<MappedField, string | null>> = {}
  for (const text of texts) {
    const at = text.indexOf('=')
    const field = MAPPED.find((one) => one === text.slice(0, at).trim())
    const pointer = text.slice(at + 1).trim()
    if (at < 0 || field === undefined || !(pointer === 'none' || isPointer(field, pointer)))
      throw wrongUsage(
        `--map takes value=/pointer, such as issuedAt=/Meta/Date, or value=none, or accounting= where its fields stand flat on the item; values are ${MAPPED.join(', ')}; not "${visible(text)}".`,
      )
    if (FALSE_ESCAPE.test(pointer))
      throw wrongUsage(
        `--map takes pointers in which "~" stands as ~0 and "/" within a name as ~1; "${visible(text)}" has a "~" followed by neither, so it would find nothing.`,
      )
    found[field] = pointer === 'none' ? null : pointer
  }
  return found
}

/** What is wrong, with the part where it is, and what to give. */
const TYPES_WRONG: Readonly<Record<DocumentTypesProblem['problem'], (part: string) => string>> = {
  form: (part) => `"${part}" is not of the form type=group`,
  id: (part) => `"${part}" is no document type; give its number`,
  group: (part) => `"${part}" is no group of events; give ${DOCUMENT_GROUPS.join(', ')}`,
  twice: (part) => `document type ${part} stands there twice; give each once`,
  many: () => `these are too many; give at most ${MOST_DOCUMENT_TYPES}`,
}

/**
 * Reads what `--document-types` takes.
 * @param text such as "31=factura,34=nota_credito", or "none"
 * @throws CommandFailure saying what is wrong with it
 */
export function documentTypesFrom(text: string): Connection['documentTypes'] {
  if (text.trim() === 'none') return []
  const read = readDocumentTypes(text)
  const wrong = (sentence: string) =>
    wrongUsage(`--document-types takes type=group, such as 31=factura,34=nota_credito, or none: ${sentence}.`)
  if ('problem' in read) throw wrong(TYPES_WRONG[read.problem](visible(read.part)))
  // An empty variable of a script must not take back what was given.
  if (read.types.length === 0) throw wrong('it is empty')
  return read.types
}

/** @throws CommandFailure naming the connection that may have been meant */
export function knownConnection(name: string, connections: readonly Connection[]): Connection {
  const found = connections.find((one) => one.name === name)
  if (found) return found
  const names = connections.map((one) => one.name)
  const [meant] = nearest(name, names)
  const hint =
    meant !== undefined
      ? `Did you mean ${meant}?`
      : names.length === 0
        ? 'There are none yet; make one with: acuse connections set NAME --base-url https://service.example --api-key-env ACUSE_API_KEY'
        : knownNames(names)
  throw couldNot(`There is no connection named "${visible(name)}". ${hint}`)
}

export interface CredentialOptions {
  /** Name of an environment variable. */
  readonly env?: string
  readonly stdin?: boolean
  readonly forget?: boolean
}

/**
 * Reads a credential from where no list of processes and no shell's history has it.
 * @param option the name that its options share, such as "--api-key"
 * @returns absent: it stays as it is; null: it is forgotten
 * @throws CommandFailure when it is named twice, is not there, or cannot travel in a header
 */
export async function credentialFrom(
  option: string,
  { env, stdin, forget }: CredentialOptions,
  terminal: Pick<Terminal, 'env' | 'readAll' | 'say'>,
): Promise<string | null | undefined> {
  if ([env !== undefined, stdin, forget].filter(Boolean).length > 1)
    throw wrongUsage(`Give one of ${option}-env, ${option}-stdin and --forget-${option.slice(2)}.`)
  if (forget) return null
  if (env !== undefined) return checked(option, fromEnvironment(option, env, terminal.env))
  if (!stdin) return undefined
  terminal.say(`Reading the ${option.slice(2).replace('-', ' ')} from stdin, up to its end.`)
  // `echo` and editors end the line; that newline is not part of the value.
  return checked(option, (await terminal.readAll()).toString().replace(/\r?\n$/, ''))
}

function fromEnvironment(option: string, name: string, env: Terminal['env']): string {
  const value = env[name]
  // A value given there is in the shell's history already; it is not printed as well.
  if (!value)
    throw wrongUsage(
      /^[A-Za-z_]\w*$/.test(name) && name.length <= 40
        ? `${option}-env: the environment has no ${visible(name)}.`
        : `${option}-env takes the name of an environment variable, not the value.`,
    )
  return value
}

function checked(option: string, value: string): string {
  if (value === '' || !headerValue.safeParse(value).success || value.trim() !== value)
    throw wrongUsage(`${option}: what was given is empty or cannot stand in a header.`)
  return value
}

/**
 * What to say of an address that carries secrets unprotected beyond this computer.
 * @param exposed what others on the way can read
 * @returns a sentence; null when there is nothing to say
 */
export function plainAddressWarning(address: unknown, exposed: string): string | null {
  if (typeof address !== 'string' || addressProblem(address) !== 'plain') return null
  return `Warning: ${address} is plain HTTP beyond this computer. Everybody on the way can read ${exposed}; use HTTPS.`
}

export const SERVICE_EXPOSED = 'the API key and the documents'
export const RECEIVER_EXPOSED = 'the deliveries and the secret header'

/** Which of its two credentials a command needs. */
type Credential = 'apiKey' | 'pluginToken'

const VARIABLES = { apiKey: 'ACUSE_API_KEY', pluginToken: 'ACUSE_PLUGIN_TOKEN' } as const
const WORDS = { apiKey: 'API key', pluginToken: 'plugin token' } as const
const OPTIONS = { apiKey: '--api-key-stdin', pluginToken: '--plugin-token-stdin' } as const

/** The account that a command works with: a connection, or one that is made for this run from an address. */
export interface Account {
  readonly connection: Connection
  /** Saves what is for this run only. Nothing has been changed before. */
  open(): Promise<void>
  /** Takes back what `open` saved. @param keep leaves it: the work is to be gone on with */
  close(keep: boolean): Promise<void>
}

interface Named {
  readonly connection?: string
  readonly baseUrl?: string
}

/**
 * Looks at words and the environment alone.
 * @throws CommandFailure when an address needs a credential that the environment does not have, or has one that no header takes
 */
export function checkCredential({ baseUrl }: Named, credential: Credential, env: Terminal['env']): void {
  const variable = VARIABLES[credential]
  const value = env[variable]
  if (value && !headerValue.safeParse(value).success)
    throw wrongUsage(
      `${variable}: what it holds cannot stand in a header; it has a line break, or letters that none takes.`,
    )
  if (baseUrl !== undefined && !value)
    throw wrongUsage(
      `There is no ${WORDS[credential]}: put it into the environment as ${variable}. It never stands on the command line.`,
    )
}

/** @throws CommandFailure when there is no such connection, or no credential for it */
export async function accountOf(
  { call }: Pick<Reached, 'call'>,
  named: Named,
  credential: Credential,
  terminal: Terminal,
): Promise<Account> {
  checkCredential(named, credential, terminal.env)
  const given = terminal.env[VARIABLES[credential]]
  const { connections } = await call('settings.get', {})
  if (named.baseUrl !== undefined) {
    const name = nameFor(named.baseUrl, credential)
    const settings: ConnectionSettings = {
      ...withoutCredentials(DEFAULT_CONNECTION),
      name,
      baseUrl: named.baseUrl,
    }
    const present = connections.find((one) => one.name === name)
    return {
      connection: { ...settings, apiKey: 'none', pluginToken: 'none', [credential]: 'stored' },
      async open() {
        await call('connections.save', {
          ...(present === undefined ? {} : { previousName: name }),
          ...settings,
          [credential]: given ?? null,
        })
      },
      async close(keep) {
        if (keep) return
        try {
          const { sweeps } = await call('sweeps.list', { connection: name })
          for (const { id } of sweeps) await call('sweeps.remove', { id })
          await call('connections.remove', { name })
        } catch (error) {
          // Another command has begun with the same address meanwhile, and takes it away in the end.
          if (!(error instanceof AcuseError && error.code === 'conflict')) throw error
        }
      },
    }
  }
  const connection = knownConnection(named.connection ?? '', connections)
  if (connection[credential] !== 'none') return { connection, open: async () => {}, close: async () => {} }
  if (!given)
    throw wrongUsage(
      `Connection ${connection.name} has no ${WORDS[credential]}: acuse connections set ${connection.name} ${OPTIONS[credential]}, or put it into the environment as ${VARIABLES[credential]}.`,
    )
  // It lies in this command's environment, not in that of the Acuse that runs: lent for the run.
  const lend = async (value: string | null) => {
    const { name } = connection
    await call('connections.save', {
      previousName: name,
      ...withoutCredentials(connection),
      name,
      [credential]: value,
    })
  }
  return {
    connection,
    open: () => lend(given),
    close: () => lend(null),
  }
}

/** The same for the same address, so that a sweep that was paused is found again. */
function nameFor(baseUrl: string, credential: Credential): string {
  const digest = createHash('sha256').update(baseUrl).digest('hex').slice(0, 12)
  return `cli-${credential === 'apiKey' ? 'sync' : 'publish'}-${digest}`
}

function withoutCredentials<T extends Pick<Connection, Credential>>(connection: T): Omit<T, Credential> {
  const { apiKey: _key, pluginToken: _token, ...rest } = connection
  return rest
}
