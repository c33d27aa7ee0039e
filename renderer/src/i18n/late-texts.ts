import i18next from 'i18next'

/** Texts of the details; to be there before the pane draws. Both languages, so that switching stays immediate. */
export async function loadDetailTexts(): Promise<void> {
  const [en, es] = await Promise.all([import('./en/detail.ts'), import('./es/detail.ts')])
  i18next.addResourceBundle('en', 'detail', en.detail)
  i18next.addResourceBundle('es', 'detail', es.detail)
}

/** As `loadDetailTexts`, for Settings. */
export async function loadSettingsTexts(): Promise<void> {
  const [en, es] = await Promise.all([import('./en/settings.ts'), import('./es/settings.ts')])
  i18next.addResourceBundle('en', 'settings', en.settings)
  i18next.addResourceBundle('es', 'settings', es.settings)
}

/** As `loadDetailTexts`, for the Sandbox. */
export async function loadSandboxTexts(): Promise<void> {
  const [en, es] = await Promise.all([import('./en/sandbox.ts'), import('./es/sandbox.ts')])
  i18next.addResourceBundle('en', 'sandbox', en.sandbox)
  i18next.addResourceBundle('es', 'sandbox', es.sandbox)
}
