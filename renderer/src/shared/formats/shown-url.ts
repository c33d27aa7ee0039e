import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import { createMasking, maskedNamesOf } from '#core/masking.ts'
import { useSettings } from '@/shared/live/settings.ts'

const masking = createMasking(() => maskedNamesOf(useSettings.getState().settings ?? DEFAULT_SETTINGS))

/** A URL of the settings as it is shown, credentials in it covered; what was captured comes covered from the host. */
export const shownUrl = (url: string): string => masking.target(url)
