import i18next, { type FlatNamespace, type ResourceKey } from 'i18next'

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
