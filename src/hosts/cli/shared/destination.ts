import { InvalidArgumentError } from 'commander'
import { endpointName, fullUrl } from '#contract/params.ts'
import { parseAddress } from '#outbound/address.ts'
import { createDestinations } from '#outbound/destination-policy.ts'
import { type CustomHeader, headerProblem } from '#sandbox/records/subscriptions.ts'
import { couldNot, wrongUsage } from './failures.ts'
import type { Reached } from './reach.ts'
import { visible } from './text.ts'
import { find, type Noun } from './things.ts'

export const TARGET_NOUN: Noun = { noun: 'target', needs: '--url http://127.0.0.1:3000/hook' }

/** Parses an http(s) address; a local address may omit the scheme. */
export function addressFrom(given: string): string {
  const text = fullUrl(given)
  if (!text.includes('://')) throw new InvalidArgumentError('Give an http:// or https:// address.')
  const parsed = parseAddress(text)
  if ('error' in parsed) throw new InvalidArgumentError(visible(parsed.error.message))
  return text
}

/** Parses a destination: the name of a target, or an http(s) address. */
export function destinationFrom(given: string): string {
  if (endpointName.safeParse(given).success) return given
  const text = fullUrl(given)
  if (text.includes('://')) return addressFrom(text)
  // Never repeat the text, which may hold a password. The most common mistake is a missing scheme.
  const hint =
    URL.canParse(`http://${text}`) && /[.:/]/.test(text) ? ` Begin an address with http:// or https://.` : ''
  throw new InvalidArgumentError(`Give an http:// or https:// address, or the name of a target.${hint}`)
}

/** Refuses destinations to which every attempt would fail. @param to names of targets, or addresses @throws CommandFailure */
export async function checkDestinations({ call }: Pick<Reached, 'call'>, to: readonly string[]) {
  const { targets } = await call('settings.get', {})
  const { receiver } = await call('status.get', {})
  const destinations = createDestinations(() => (receiver.state === 'listening' ? receiver : null))
  for (const one of to) {
    const refused = await destinations.refused(
      one.includes('://') ? one : find(TARGET_NOUN, one, targets).url,
    )
    if (refused) throw refused.code === 'bad-url' ? wrongUsage(refused.message) : couldNot(refused.message)
  }
}

type Env = Readonly<Record<string, string | undefined>>

/** Parses the value of `--header`, such as "X-Tenant: 5". @throws CommandFailure that names the error */
export function headerOf(text: string): CustomHeader {
  const { name, rest: value } = split('--header', text, 'Name: value', ':')
  return checked('--header', { name, value })
}

/** Parses `--header-env`, such as "X-Webhook-Secret: ACUSE_SECRET": the value stays out of process lists and shell history. */
export function headerFromEnv(text: string, env: Env): CustomHeader {
  const { name, rest: variable } = split('--header-env', text, 'Name: VARIABLE', ':')
  const value = env[variable]
  if (value === undefined) throw wrongUsage(`--header-env: the environment has no ${visible(variable)}.`)
  return checked('--header-env', { name, value })
}

/** Parses a target's `--secret-header`, such as "Authorization=STAGING_TOKEN". */
export function secretHeaderOf(text: string, env: Env): CustomHeader {
  const { name, rest: variable } = split('--secret-header', text, 'Name=VARIABLE', '=')
  const value = env[variable]
  // A value typed here by mistake is in the shell's history already; do not print it too.
  if (!value)
    throw wrongUsage(
      `--secret-header: the environment has no variable of the name given for ${visible(name)}.`,
    )
  return checked('--secret-header', { name, value })
}

function split(option: string, text: string, form: string, between: string) {
  const at = text.indexOf(between)
  // Never repeat the text: a secret may stand in the place of the name.
  if (at < 1) throw wrongUsage(`${option} takes "${form}", with "${between}" after the name.`)
  return { name: text.slice(0, at).trim(), rest: text.slice(at + 1).trim() }
}

function checked(option: string, header: CustomHeader): CustomHeader {
  const problem = headerProblem(header)
  if (problem !== null) throw wrongUsage(`${option}: ${visible(problem)}.`)
  return header
}
