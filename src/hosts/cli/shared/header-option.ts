import { type CustomHeader, headerProblem } from '#sandbox/records/subscriptions.ts'
import { wrongUsage } from './failures.ts'
import { visible } from './text.ts'

/** For an option that may stand several times. */
export const gathered = (text: string, before: readonly string[] = []): readonly string[] => [...before, text]

/**
 * Reads what `--header` takes.
 * @param text such as "X-Webhook-Secret: s3cret"
 * @throws CommandFailure saying what is wrong with it
 */
export function headerOf(text: string): CustomHeader {
  const { name, rest: value } = split('--header', text, 'Name: value')
  return checked('--header', { name, value })
}

/**
 * Reads what `--header-env` takes: like this a secret stands in no list of processes and in no shell's history.
 * @param text such as "X-Webhook-Secret: ACUSE_SECRET"
 * @throws CommandFailure, also when the environment has no such variable
 */
export function headerFromEnv(text: string, env: Readonly<Record<string, string | undefined>>): CustomHeader {
  const { name, rest: variable } = split('--header-env', text, 'Name: VARIABLE')
  const value = env[variable]
  if (value === undefined) throw wrongUsage(`--header-env: the environment has no ${visible(variable)}.`)
  return checked('--header-env', { name, value })
}

/**
 * Reads what `--secret-header` of a target takes.
 * @param text such as "Authorization=STAGING_TOKEN"
 * @throws CommandFailure, also when the environment has no such variable
 */
export function secretHeaderOf(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): CustomHeader {
  const option = '--secret-header'
  const { name, rest: variable } = split(option, text, 'Name=VARIABLE', '=')
  const value = env[variable]
  // A value given there is in the shell's history already; it is not printed as well.
  if (!value)
    throw wrongUsage(`${option}: the environment has no variable of the name given for ${visible(name)}.`)
  return checked(option, { name, value })
}

function split(
  option: string,
  text: string,
  form: string,
  between: ':' | '=' = ':',
): { readonly name: string; readonly rest: string } {
  const at = text.indexOf(between)
  // Not the text itself: what stands where a name should be may be a secret.
  if (at < 1) throw wrongUsage(`${option} takes "${form}", with "${between}" after the name.`)
  return { name: text.slice(0, at).trim(), rest: text.slice(at + 1).trim() }
}

function checked(option: string, header: CustomHeader): CustomHeader {
  const problem = headerProblem(header)
  if (problem !== null) throw wrongUsage(`${option}: ${visible(problem)}.`)
  return header
}
