import type { LateTexts } from '@/shared/i18n/texts.ts'

/** Texts that the first draw does not need, each in its languages. A namespace is a line here and a file per language. */
export const LATE_TEXTS = {
  actions: {
    en: async () => (await import('@/app/texts/en/actions.ts')).actions,
    es: async () => (await import('@/app/texts/es/actions.ts')).actions,
  },
  incident: {
    en: async () => (await import('@/app/texts/en/incident.ts')).incident,
    es: async () => (await import('@/app/texts/es/incident.ts')).incident,
  },
  fileCheck: {
    en: async () => (await import('@/features/delivery/texts/en/file-check.ts')).fileCheck,
    es: async () => (await import('@/features/delivery/texts/es/file-check.ts')).fileCheck,
  },
  filters: {
    en: async () => (await import('@/shared/texts/en/list.ts')).filters,
    es: async () => (await import('@/shared/texts/es/list.ts')).filters,
  },
  detail: {
    en: async () => (await import('@/features/delivery/texts/en/detail.ts')).detail,
    es: async () => (await import('@/features/delivery/texts/es/detail.ts')).detail,
  },
  settings: {
    en: async () => (await import('@/features/settings/texts/en/settings.ts')).settings,
    es: async () => (await import('@/features/settings/texts/es/settings.ts')).settings,
  },
  replays: {
    en: async () => (await import('@/features/replays/texts/en/replays.ts')).replays,
    es: async () => (await import('@/features/replays/texts/es/replays.ts')).replays,
  },
  reconcile: {
    en: async () => (await import('@/features/reconcile/texts/en/reconcile.ts')).reconcile,
    es: async () => (await import('@/features/reconcile/texts/es/reconcile.ts')).reconcile,
  },
  plugins: {
    en: async () => (await import('@/features/settings/texts/en/tasks.ts')).plugins,
    es: async () => (await import('@/features/settings/texts/es/tasks.ts')).plugins,
  },
  diff: {
    en: async () => (await import('@/features/delivery/texts/en/diff.ts')).diff,
    es: async () => (await import('@/features/delivery/texts/es/diff.ts')).diff,
  },
  schedules: {
    en: async () => (await import('@/features/settings/texts/en/tasks.ts')).schedules,
    es: async () => (await import('@/features/settings/texts/es/tasks.ts')).schedules,
  },
  connect: {
    en: async () => (await import('@/features/settings/texts/en/tasks.ts')).connect,
    es: async () => (await import('@/features/settings/texts/es/tasks.ts')).connect,
  },
  sandbox: {
    en: async () => (await import('@/features/sandbox/texts/en/sandbox.ts')).sandbox,
    es: async () => (await import('@/features/sandbox/texts/es/sandbox.ts')).sandbox,
  },
  documents: {
    en: async () => (await import('@/features/documents/texts/en/documents.ts')).documents,
    es: async () => (await import('@/features/documents/texts/es/documents.ts')).documents,
  },
  drift: {
    en: async () => (await import('@/features/drift/texts/en/drift.ts')).drift,
    es: async () => (await import('@/features/drift/texts/es/drift.ts')).drift,
  },
  order: {
    en: async () => (await import('@/shared/texts/en/list.ts')).order,
    es: async () => (await import('@/shared/texts/es/list.ts')).order,
  },
  undo: {
    en: async () => (await import('@/shared/texts/en/list.ts')).undo,
    es: async () => (await import('@/shared/texts/es/list.ts')).undo,
  },
  timeline: {
    en: async () => (await import('@/features/stream/texts/en/timeline.ts')).timeline,
    es: async () => (await import('@/features/stream/texts/es/timeline.ts')).timeline,
  },
  trash: {
    en: async () => (await import('@/features/settings/texts/en/tasks.ts')).trash,
    es: async () => (await import('@/features/settings/texts/es/tasks.ts')).trash,
  },
} as const satisfies Readonly<Record<string, LateTexts>>
