import { networkInterfaces } from 'node:os'
import type { MachineAddress } from '#contract/connect.ts'

/** Link-local ones need a zone that only this machine knows, so no sender can use them. */
const LINK_LOCAL = /^(?:169\.254\.|fe80:)/i

/** Addresses of this machine's network interfaces that other machines may use, IPv4 first. */
export function machineAddresses(): readonly MachineAddress[] {
  return Object.entries(networkInterfaces())
    .flatMap(([name, all]) => (all ?? []).map((one) => ({ name, ...one })))
    .filter(({ internal, address }) => !internal && !LINK_LOCAL.test(address))
    .map(
      ({ name, address, family }): MachineAddress => ({ name, address, family: family === 'IPv6' ? 6 : 4 }),
    )
    .toSorted((a, b) => a.family - b.family)
}
