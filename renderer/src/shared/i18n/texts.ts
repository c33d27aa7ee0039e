import type { FlatNamespace } from 'i18next'
import i18next from 'i18next'
import { type ComponentType, createElement, lazy, type ReactElement, Suspense } from 'react'
import { initReactI18next } from 'react-i18next'
import type { Language } from '#catalog/text.ts'
import type { Settings } from '#contract/settings.ts'
import { formatFor } from './format.ts'

/** Loads the texts of a namespace in a language; the key is `en/shell` and the like. */
export type TextFiles = ReadonlyMap<string, () => Promise<Texts>>

let files: TextFiles = new Map()
let firstNamespaces: readonly string[] = []
let wanted: Language = 'en'

export interface Texts {
  readonly [key: string]: string | Texts
}

/** Spanish has a plural form of its own for millions; a text says it only where it is another one. */
export function withMillions(texts: Texts): Texts {
  const said = Object.entries(texts).map(
    ([key, text]) => [key, typeof text === 'string' ? text : withMillions(text)] as const,
  )
  return Object.fromEntries([...said.map(([key, text]) => [key.replace(/_other$/, '_many'), text]), ...said])
}

async function load(language: Language, namespace: string): Promise<void> {
  if (i18next.hasResourceBundle(language, namespace)) return
  const texts = await files.get(`${language}/${namespace}`)?.()
  if (texts) i18next.addResourceBundle(language, namespace, withMillions(texts))
}

/** Must be awaited before a component draws with the texts. It loads both languages, so that a switch is immediate. */
export async function loadTexts(namespace: FlatNamespace): Promise<void> {
  await Promise.all([load('en', namespace), load('es', namespace)])
}

type Bring<P> = () => Promise<ComponentType<P>>

async function brought<P>(namespaces: readonly FlatNamespace[], bring: Bring<P>) {
  const styles = import('@/shared/styles/late.css')
  const [component] = await Promise.all([bring(), styles, ...namespaces.map(loadTexts)])
  return { default: component }
}

/** A component that comes with its texts and styles when it is first drawn. @param namespaces its texts */
export const late = <P extends object>(namespaces: readonly FlatNamespace[], bring: Bring<P>) =>
  lazy(() => brought(namespaces, bring))

/** As `late`, for what leaves its place empty until it comes. */
export function lateView<P extends object>(
  namespaces: readonly FlatNamespace[],
  bring: Bring<P>,
): (props: P) => ReactElement {
  const View: ComponentType<P> = late(namespaces, bring)
  return (props) => createElement(Suspense, { fallback: null }, createElement(View, props))
}

const GIVE_UP_MS = 15_000

/** As `lateView`, for dialogs, which need not come: asked for again, one is loaded again. @param giveUp closes them */
export const lateDialogs =
  (giveUp: () => void) =>
  <P extends object>(namespaces: readonly FlatNamespace[], bring: Bring<P>) => {
    const load = (): ComponentType<P> =>
      lazy(() => {
        const over = new Promise<never>((_, reject) => setTimeout(reject, GIVE_UP_MS))
        return Promise.race([brought(namespaces, bring), over]).catch(() => {
          View = load()
          giveUp()
          return { default: () => null }
        })
      })
    let View = load()
    return (props: P) => createElement(Suspense, { fallback: null }, createElement(View, props))
  }

/** The language that a setting means here and now: `system` is the first of the browser's that Acuse speaks. */
export function resolveLanguage(setting: Settings['appearance']['language']): Language {
  if (setting !== 'system') return setting
  for (const tag of navigator.languages) {
    const language = tag.slice(0, 2).toLowerCase()
    if (language === 'en' || language === 'es') return language
  }
  return 'en'
}

const FORMATS = ['number', 'bytes', 'duration', 'rate', 'instant', 'moment', 'brief', 'day', 'clock'] as const

/** Must be awaited before the first draw. @param first English texts of that; those of another language are loaded */
export async function setUpLanguage(
  setting: Settings['appearance']['language'],
  first: Readonly<Record<string, Texts>>,
  textFiles: TextFiles,
): Promise<void> {
  files = textFiles
  firstNamespaces = Object.keys(first)
  void i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    defaultNS: 'common',
    resources: { en: first },
    initAsync: false,
    partialBundledLanguages: true,
    // React escapes; escaping twice would show &amp; to the reader.
    interpolation: { escapeValue: false },
    missingInterpolationHandler: (text: string, [variable]: RegExpMatchArray) =>
      console.error(`"${text}" is drawn without ${variable}.`),
  })
  // `{{count, number}}` is written as `format.number` writes it, in the browser's own flavour of the language.
  for (const how of FORMATS)
    i18next.services.formatter?.add(how, (value: number, lng) =>
      formatFor(lng === 'es' ? 'es' : 'en')[how](value),
    )
  await changeLanguage(setting)
}

export async function changeLanguage(setting: Settings['appearance']['language']): Promise<void> {
  const language = resolveLanguage(setting)
  wanted = language
  await Promise.all(firstNamespaces.map((namespace) => load(language, namespace)))
  if (wanted !== language) return
  document.documentElement.lang = language
  if (i18next.language !== language) await i18next.changeLanguage(language)
}
