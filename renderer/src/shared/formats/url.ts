import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import { createMasking, maskedNamesOf } from '#core/masking.ts'
import { useSettings } from '@/shared/live/settings.ts'

/** Whether an address can be reached from this computer only. Names count as reachable from outside, but for `localhost`. */
export function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[|\]$/g, '').toLowerCase()
  return plain === 'localhost' || plain === '::1' || /^127(\.\d{1,3}){3}$/.test(plain)
}

const masking = createMasking(() => maskedNamesOf(useSettings.getState().settings ?? DEFAULT_SETTINGS))

/** A URL of the settings as it is shown, credentials in it covered; what was captured comes covered from the host. */
export const shownUrl = (url: string): string => masking.target(url)
