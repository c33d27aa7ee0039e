import i18next from 'i18next'

/** Texts that the first draw does not need, each in its languages. A namespace is a line here and a file per language. */
const LATE = {
  actions: {
    en: async () => (await import('./en/actions.ts')).actions,
    es: async () => (await import('./es/actions.ts')).actions,
  },
  fileCheck: {
    en: async () => (await import('./en/file-check.ts')).fileCheck,
    es: async () => (await import('./es/file-check.ts')).fileCheck,
  },
  filters: {
    en: async () => (await import('./en/filters.ts')).filters,
    es: async () => (await import('./es/filters.ts')).filters,
  },
  detail: {
    en: async () => (await import('./en/detail.ts')).detail,
    es: async () => (await import('./es/detail.ts')).detail,
  },
  settings: {
    en: async () => (await import('./en/settings.ts')).settings,
    es: async () => (await import('./es/settings.ts')).settings,
  },
  replays: {
    en: async () => (await import('./en/replays.ts')).replays,
    es: async () => (await import('./es/replays.ts')).replays,
  },
  reconcile: {
    en: async () => (await import('./en/reconcile.ts')).reconcile,
    es: async () => (await import('./es/reconcile.ts')).reconcile,
  },
  plugins: {
    en: async () => (await import('./en/plugins.ts')).plugins,
    es: async () => (await import('./es/plugins.ts')).plugins,
  },
  diff: {
    en: async () => (await import('./en/diff.ts')).diff,
    es: async () => (await import('./es/diff.ts')).diff,
  },
  schedules: {
    en: async () => (await import('./en/schedules.ts')).schedules,
    es: async () => (await import('./es/schedules.ts')).schedules,
  },
  connect: {
    en: async () => (await import('./en/connect.ts')).connect,
    es: async () => (await import('./es/connect.ts')).connect,
  },
  sandbox: {
    en: async () => (await import('./en/sandbox.ts')).sandbox,
    es: async () => (await import('./es/sandbox.ts')).sandbox,
  },
  documents: {
    en: async () => (await import('./en/documents.ts')).documents,
    es: async () => (await import('./es/documents.ts')).documents,
  },
  drift: {
    en: async () => (await import('./en/drift.ts')).drift,
    es: async () => (await import('./es/drift.ts')).drift,
  },
  order: {
    en: async () => (await import('./en/order.ts')).order,
    es: async () => (await import('./es/order.ts')).order,
  },
  undo: {
    en: async () => (await import('./en/undo.ts')).undo,
    es: async () => (await import('./es/undo.ts')).undo,
  },
  timeline: {
    en: async () => (await import('./en/timeline.ts')).timeline,
    es: async () => (await import('./es/timeline.ts')).timeline,
  },
  trash: {
    en: async () => (await import('./en/trash.ts')).trash,
    es: async () => (await import('./es/trash.ts')).trash,
  },
} as const
export type LateTexts = { [N in keyof typeof LATE]: Awaited<ReturnType<(typeof LATE)[N]['en']>> }

/** Must be awaited before what uses the texts is drawn. Both languages are loaded, so that switching stays immediate. */
export async function loadTexts(namespace: keyof LateTexts): Promise<void> {
  const [en, es] = await Promise.all([LATE[namespace].en(), LATE[namespace].es()])
  i18next.addResourceBundle('en', namespace, en)
  i18next.addResourceBundle('es', namespace, es)
}
