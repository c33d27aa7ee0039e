import { type Command, InvalidArgumentError, Option } from 'commander'
import { DELIVERY_METHODS, type DeliveryMethod } from '#catalog/service.ts'
import { urlProblem, urlWarning } from '#sandbox/records/subscriptions.ts'
import { type CommonOptions, wholeNumber } from './options.ts'

/** Of a subscription, key or plugin, as the lists print it. */
export const idNumber = wholeNumber(1, 999_999_999_999_999)

export interface SwitchOptions extends CommonOptions {
  readonly active?: boolean
  readonly inactive?: boolean
}

/** @param active what it does, @param inactive what the opposite does */
export function withSwitch(command: Command, active: string, inactive: string): Command {
  return command
    .addOption(new Option('--active', active).conflicts('inactive'))
    .addOption(new Option('--inactive', inactive))
}

/** The member `active` of a change; nothing when neither option was given. */
export function switched({ active, inactive }: SwitchOptions): { readonly active?: boolean } {
  if (active === undefined && inactive === undefined) return {}
  return { active: active === true }
}

/** Reads the method of a subscription (What the service does, rule 6), in any case. */
export function methodFrom(text: string): DeliveryMethod {
  const found = DELIVERY_METHODS.find((method) => method === text.toUpperCase())
  if (found === undefined) throw new InvalidArgumentError(`Give ${DELIVERY_METHODS.join(', ')}.`)
  return found
}

/** Reads an address that the sandbox is to send to. */
export function addressFrom(text: string): string {
  const problem = urlProblem(text)
  if (problem !== null)
    throw new InvalidArgumentError(`${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`)
  return text
}

/** Says what Authentication, rule 2 would have said of the address. */
export function warnOfAddress(url: string | null | undefined, say: (sentence: string) => void): void {
  const warning = url === null || url === undefined ? null : urlWarning(url)
  if (warning !== null) say(`Warning: ${warning}`)
}
