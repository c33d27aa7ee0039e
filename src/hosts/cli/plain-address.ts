import { addressProblem } from '#core/connect/reach.ts'

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
