import { InvalidArgumentError } from 'commander'
import { endpointName } from '#contract/params.ts'
import { nearest } from '#core/filter/nearest.ts'
import { parseAddress } from '#outbound/address.ts'
import { createDestinations } from '#outbound/destinations.ts'
import { couldNot, wrongUsage } from './failures.ts'
import type { Reached } from './reach.ts'
import { knownNames, visible } from './text.ts'

/** Reads where to send: an http(s) address, or a target by its name. */
export function destinationFrom(text: string): string {
  if (text.includes('://')) {
    const parsed = parseAddress(text)
    if ('error' in parsed) throw new InvalidArgumentError(visible(parsed.error.message))
    return text
  }
  if (endpointName.safeParse(text).success) return text
  // Not the text itself where it may hold a password; what is typed most often wrong is the missing scheme.
  const hint =
    URL.canParse(`http://${text}`) && /[.:/]/.test(text) ? ` Begin an address with http:// or https://.` : ''
  throw new InvalidArgumentError(`Give an http:// or https:// address, or the name of a target.${hint}`)
}

/** As `destinationFrom`, for an option that may stand several times. */
export const destinationsFrom = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  destinationFrom(text),
]

export const targetName = (text: string): string => {
  if (endpointName.safeParse(text).success) return text
  throw new InvalidArgumentError('Use 1 to 60 characters of a-z, 0-9 and "-".')
}

/**
 * Tells before anything is sent what would otherwise be told once for each delivery: that a target does not exist, that an address is
 * never sent to, or that it is the receiver that the deliveries come from.
 * @param to each a target's name or an address
 * @throws CommandFailure
 */
export async function checkDestinations(
  reached: Pick<Reached, 'call'>,
  to: readonly string[],
): Promise<void> {
  const { targets } = await reached.call('settings.get', {})
  const { receiver } = await reached.call('status.get', {})
  const destinations = createDestinations(() => (receiver.state === 'listening' ? receiver : null))
  for (const one of to) {
    const url = one.includes('://') ? one : targets.find(({ name }) => name === one)?.url
    if (url === undefined) throw unknownTarget(one, targets)
    const refused = await destinations.refused(url)
    if (refused) throw refused.code === 'bad-url' ? wrongUsage(refused.message) : couldNot(refused.message)
  }
}

export function unknownTarget(name: string, targets: readonly { readonly name: string }[]) {
  const names = targets.map((target) => target.name)
  const [meant] = nearest(name, names)
  const hint =
    meant !== undefined
      ? `Did you mean ${meant}?`
      : names.length === 0
        ? 'There are none yet; make one with: acuse targets set NAME --url http://127.0.0.1:3000/hook'
        : knownNames(names)
  return couldNot(`There is no target named "${visible(name)}". ${hint}`)
}
