import { shell } from '@/app/texts/en/shell.ts'
import { shell as shellEs } from '@/app/texts/es/shell.ts'
import { stream } from '@/features/stream/texts/en/stream.ts'
import { stream as streamEs } from '@/features/stream/texts/es/stream.ts'
import { common, components, errors } from '@/shared/texts/en/common.ts'
import {
  common as commonEs,
  components as componentsEs,
  errors as errorsEs,
} from '@/shared/texts/es/common.ts'

/**
 * One namespace per file; `useTranslation('stream')` then `t('key')`, or `t('common:copy')` with both named. These are of the
 * first draw; what a screen alone needs comes with that screen (late-texts.ts).
 */
export const RESOURCES = {
  en: { common, components, errors, shell, stream },
  es: { common: commonEs, components: componentsEs, errors: errorsEs, shell: shellEs, stream: streamEs },
} as const
