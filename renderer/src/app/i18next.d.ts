import type { LATE_TEXTS } from './late-texts.ts'
import type { RESOURCES } from './resources.ts'

type Late = { [N in keyof typeof LATE_TEXTS]: Awaited<ReturnType<(typeof LATE_TEXTS)[N]['en']>> }

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: (typeof RESOURCES)['en'] & Late
  }
}
