import type { FlatNamespace, Resource, ResourceKey } from 'i18next'
import i18next from 'i18next'
import { type ComponentType, lazy } from 'react'
import { initReactI18next } from 'react-i18next'
import type { Language } from '#catalog/text.ts'
import type { Settings } from '#contract/settings.ts'
import { formatFor } from './format.ts'

/** The texts of a namespace in each language, fetched when they are first needed. */
export type LateTexts = Readonly<Record<'en' | 'es', () => Promise<ResourceKey>>>

const provided = new Map<string, LateTexts>()

/** Says where the texts lie that the first draw does not need. The window calls it once, before it draws. */
export function provideTexts(texts: Readonly<Record<string, LateTexts>>): void {
  for (const [namespace, loaders] of Object.entries(texts)) provided.set(namespace, loaders)
}

/** Must be awaited before a component draws with the texts. It loads both languages, so that a switch is immediate. */
export async function loadTexts(namespace: FlatNamespace): Promise<void> {
  const loaders = provided.get(namespace)
  if (!loaders) return
  const [en, es] = await Promise.all([loaders.en(), loaders.es()])
  i18next.addResourceBundle('en', namespace, en)
  i18next.addResourceBundle('es', namespace, es)
}

/** A component that comes with its texts when it is first drawn. @param namespaces its texts */
export const late = <P extends object>(
  namespaces: readonly FlatNamespace[],
  load: () => Promise<ComponentType<P>>,
) =>
  lazy(async () => {
    const [component] = await Promise.all([load(), ...namespaces.map(loadTexts)])
    return { default: component }
  })

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
