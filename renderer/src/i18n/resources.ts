import { common } from './en/common.ts'
import { components } from './en/components.ts'
import { errors } from './en/errors.ts'
import { shell } from './en/shell.ts'
import { stream } from './en/stream.ts'
import { common as commonEs } from './es/common.ts'
import { components as componentsEs } from './es/components.ts'
import { errors as errorsEs } from './es/errors.ts'
import { shell as shellEs } from './es/shell.ts'
import { stream as streamEs } from './es/stream.ts'

/**
 * One namespace per file; `useTranslation('stream')` then `t('key')`, or `t('common:copy')` with both named. These are of the
 * first draw; what a screen alone needs comes with that screen (late-texts.ts).
 */
export const RESOURCES = {
  en: { common, components, errors, shell, stream },
  es: { common: commonEs, components: componentsEs, errors: errorsEs, shell: shellEs, stream: streamEs },
} as const
