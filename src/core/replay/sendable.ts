import { AcuseError } from '#contract/errors.ts'
import type { Destinations } from '../ports.ts'

/**
 * Loop guard and destination policy where an address is kept, not only where it is sent to (issue C, 6).
 * @param url where deliveries would be sent
 * @param path of the parameter that holds it
 * @throws AcuseError `bad-params`; `details.reason` is the code that an attempt would have
 */
export async function demandSendable(destinations: Destinations, url: string, path: string): Promise<void> {
  const refused = await destinations.refused(url)
  if (refused)
    throw new AcuseError('bad-params', `${path}: ${refused.message}`, { path, reason: refused.code })
}
