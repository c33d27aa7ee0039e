import { AcuseError } from '#contract/errors.ts'
import type { Certificate } from '../ports.ts'

/**
 * Refuses a certificate that senders would refuse by its dates. Asked when a person chooses it; one that expires later goes on being used,
 * since a receiver that does not listen loses everything.
 * @param now milliseconds since the epoch
 * @throws AcuseError `bad-params`
 */
export function demandCurrent({ info }: Certificate, now: number): void {
  const path = 'receiver.tls.certificate'
  if (info.validTo < now)
    throw new AcuseError(
      'bad-params',
      `The certificate expired on ${day(info.validTo)}: senders refuse it. Renew it, and give the new one.`,
      { path },
    )
  if (info.validFrom > now)
    throw new AcuseError(
      'bad-params',
      `The certificate is valid from ${day(info.validFrom)} on, and not before. Wait for that day, or check the clock of this machine.`,
      { path },
    )
}

const day = (instant: number): string => new Date(instant).toISOString().slice(0, 10)
