/** Whether an address can be reached from this computer only. Names count as reachable from outside, but for `localhost`. */
export function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[|\]$/g, '').toLowerCase()
  return plain === 'localhost' || plain === '::1' || /^127(\.\d{1,3}){3}$/.test(plain)
}
