import i18next, { type Resource } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { Language } from '#catalog/text.ts'
import type { Settings } from '#contract/settings.ts'
import { formatFor } from './format.ts'

/** The language that a setting means here and now: `system` is the first of the browser's that Acuse speaks. */
export function resolveLanguage(setting: Settings['appearance']['language']): Language {
  if (setting !== 'system') return setting
  for (const tag of navigator.languages) {
    const language = tag.slice(0, 2).toLowerCase()
    if (language === 'en' || language === 'es') return language
  }
  return 'en'
}

/** Must run before the first draw. @param resources the texts of the first draw, so that it is complete when it returns */
export function setUpLanguage(setting: Settings['appearance']['language'], resources: Resource): void {
  const language = resolveLanguage(setting)
  void i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    defaultNS: 'common',
    resources,
    initAsync: false,
    // React escapes; escaping twice would show &amp; to the reader.
    interpolation: { escapeValue: false },
  })
  // `{{count, number}}` groups digits as `format.number` does, in the browser's own flavour of the language.
  i18next.services.formatter?.add('number', (value: number, lng) =>
    formatFor(lng === 'es' ? 'es' : 'en').number(value),
  )
  document.documentElement.lang = language
}

export function changeLanguage(setting: Settings['appearance']['language']): void {
  const language = resolveLanguage(setting)
  document.documentElement.lang = language
  if (i18next.language !== language) void i18next.changeLanguage(language)
}
