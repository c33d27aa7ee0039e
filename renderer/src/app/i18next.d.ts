import 'i18next'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    /** Each namespace has a line here and a file per language: `texts/en/NAME.json` and `texts/es/NAME.json`. */
    resources: {
      actions: typeof import('@/app/texts/en/actions.json')
      common: typeof import('@/shared/texts/en/common.json')
      components: typeof import('@/shared/texts/en/components.json')
      connect: typeof import('@/features/settings/texts/en/connect.json')
      detail: typeof import('@/features/delivery/texts/en/detail.json')
      diff: typeof import('@/features/delivery/texts/en/diff.json')
      documents: typeof import('@/features/documents/texts/en/documents.json')
      drift: typeof import('@/features/drift/texts/en/drift.json')
      errors: typeof import('@/shared/texts/en/errors.json')
      exports: typeof import('@/features/transfer/texts/en/exports.json')
      fileCheck: typeof import('@/features/delivery/texts/en/fileCheck.json')
      filters: typeof import('@/shared/texts/en/filters.json')
      imports: typeof import('@/features/transfer/texts/en/imports.json')
      incident: typeof import('@/app/texts/en/incident.json')
      order: typeof import('@/shared/texts/en/order.json')
      plugins: typeof import('@/features/settings/texts/en/plugins.json')
      reconcile: typeof import('@/features/reconcile/texts/en/reconcile.json')
      replays: typeof import('@/features/replays/texts/en/replays.json')
      sandbox: typeof import('@/features/sandbox/texts/en/sandbox.json')
      schedules: typeof import('@/features/settings/texts/en/schedules.json')
      settings: typeof import('@/features/settings/texts/en/settings.json')
      shell: typeof import('@/app/texts/en/shell.json')
      stream: typeof import('@/features/stream/texts/en/stream.json')
      timeline: typeof import('@/features/stream/texts/en/timeline.json')
      trash: typeof import('@/features/settings/texts/en/trash.json')
      undo: typeof import('@/shared/texts/en/undo.json')
    }
  }
}
