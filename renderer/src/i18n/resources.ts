import { common } from './en/common.ts'
import { components } from './en/components.ts'
import { detail } from './en/detail.ts'
import { errors } from './en/errors.ts'
import { settings } from './en/settings.ts'
import { shell } from './en/shell.ts'
import { stream } from './en/stream.ts'
import { common as commonEs } from './es/common.ts'
import { components as componentsEs } from './es/components.ts'
import { detail as detailEs } from './es/detail.ts'
import { errors as errorsEs } from './es/errors.ts'
import { settings as settingsEs } from './es/settings.ts'
import { shell as shellEs } from './es/shell.ts'
import { stream as streamEs } from './es/stream.ts'

/** One namespace per file; `useTranslation('detail')` then `t('key')`, or `t('common:copy')` from anywhere. */
export const RESOURCES = {
  en: { common, components, detail, errors, settings, shell, stream },
  es: {
    common: commonEs,
    components: componentsEs,
    detail: detailEs,
    errors: errorsEs,
    settings: settingsEs,
    shell: shellEs,
    stream: streamEs,
  },
} as const
