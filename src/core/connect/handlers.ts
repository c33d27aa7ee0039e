import type { HandlersOf } from '#contract/commands.ts'
import type { ConnectChange, ConnectTest, MachineAddress } from '#contract/connect.ts'
import { badParam, refused } from '#contract/errors.ts'
import type { Masking } from '../masking.ts'
import type { Certificate } from '../ports.ts'
import type { SelfTests } from './self-test.ts'

export interface Connect {
  readonly selfTests: SelfTests
  /** Read on every call: a laptop changes networks. */
  addresses(): readonly MachineAddress[]
}

/** @param connect null in a host without a receiver */
export function connectHandlers(connect: Connect | null, masking: Masking): HandlersOf<`connect.${string}`> {
  const change = (one: ConnectChange): ConnectChange => {
    if (one.part === 'path')
      return { ...one, sent: masking.target(one.sent), arrived: masking.target(one.arrived) }
    if (one.part !== 'header') return one
    const shown = (value: string | null) => {
      const header = value === null ? null : masking.header({ name: one.name, value })
      return header?.masked ? `<masked: ${header.value}>` : value
    }
    return { ...one, sent: shown(one.sent), arrived: shown(one.arrived) }
  }
  // Proxies and tunnels add headers of their own, such as cookies and credentials.
  const covered = (test: ConnectTest): ConnectTest => ({
    ...test,
    answer: test.answer && {
      ...test.answer,
      location: test.answer.location && masking.target(test.answer.location),
    },
    arrival: test.arrival && { ...test.arrival, changes: test.arrival.changes.map(change) },
  })
  return {
    'connect.state': async () => {
      const last = connect?.selfTests.last ?? null
      return { addresses: connect?.addresses() ?? [], last: last && covered(last) }
    },
    'connect.test': async ({ url, method }) => {
      if (!connect) throw refused('not-available', 'receives-nothing')
      return covered(await connect.selfTests.run(url, method))
    },
  }
}

/** For new certificates only: the receiver keeps one that expires in use, so as not to lose deliveries. @throws AcuseError `bad-params` */
export function demandCurrent({ info }: Certificate, now: number): void {
  const path = 'receiver.tls.certificate'
  if (info.validTo < now)
    throw badParam(
      path,
      `The certificate expired on ${day(info.validTo)}: senders refuse it. Renew it, and give the new one.`,
    )
  if (info.validFrom > now)
    throw badParam(
      path,
      `The certificate is valid from ${day(info.validFrom)} on, and not before. Wait for that day, or check the clock of this machine.`,
    )
}

const day = (instant: number): string => new Date(instant).toISOString().slice(0, 10)
