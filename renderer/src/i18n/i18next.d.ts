import type { LateTexts } from './late-texts.ts'
import type { RESOURCES } from './resources.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: (typeof RESOURCES)['en'] & LateTexts
  }
}
