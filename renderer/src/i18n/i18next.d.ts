import type { detail } from './en/detail.ts'
import type { sandbox } from './en/sandbox.ts'
import type { settings } from './en/settings.ts'
import type { RESOURCES } from './resources.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: (typeof RESOURCES)['en'] & {
      detail: typeof detail
      sandbox: typeof sandbox
      settings: typeof settings
    }
  }
}
