import { Copy, FolderOpen } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Result } from '#contract/commands.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Address } from '@/shared/components/copy-button.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import type { Form } from '@/shared/forms/form.ts'
import { useForm } from '@/shared/forms/use-form.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { api, host } from '@/shared/live/api.ts'
import { useStatus } from '@/shared/live/status.ts'
import { pickFolder } from '@/shared/platform/save.ts'
import { GRIDDED, Section } from './section.tsx'

/** Beside the data folder, with the day in its name: free on most days. */
const folderToday = (dataDir: string): string =>
  `${dataDir.replace(/[\\/]+$/, '')}-backup-${new Date().toISOString().slice(0, 10)}`

/** A folder of that name in another one: a folder that a user picks is seldom empty. */
const folderIn = (parent: string, dataDir: string): string => {
  const [separator = '/'] = /[\\/]/.exec(parent) ?? []
  return `${parent.replace(/[\\/]+$/, '')}${separator}${folderToday(dataDir).split(/[\\/]/).at(-1)}`
}

const backupForm = (dataDir: string): Form<'store.backup', { readonly folder: string }> => ({
  command: 'store.backup',
  first: { folder: dataDir === '' ? '' : folderToday(dataDir) },
  params: ({ folder }) => ({ folder: folder.trim() }),
})

/** Copies everything stored into a folder of the host, while Acuse runs. */
export function BackupSection() {
  const { t } = useTranslation('settings')
  const format = useFormat()
  const dataDir = useStatus((s) => s.info?.dataDir) ?? ''
  // The dialog shows this computer's folders, and an attached host is on another one.
  const files = useStatus((s) => s.info?.attachedTo) === undefined ? host().files : undefined
  const picking = useAction()
  const [made, setMade] = useState<Result<'store.backup'> | null>(null)
  const { bind, set, draw, dialog } = useForm({
    form: () => backupForm(dataDir),
    texts: ['settings', 'backup'],
    look: () => ({ folder: { className: 'flex-1' } }),
    send: async (params) => {
      setMade(null)
      setMade(await api.call('store.backup', params))
    },
    follow: true,
  })
  return (
    <Section name="backup" title={t('backup.title')} text={t('backup.text')}>
      <form {...bind} className={`grid grid-cols-1 gap-12 ${GRIDDED} [&>button]:justify-self-start`}>
        <div className="flex items-start gap-8 [&>button]:mt-19">
          {draw('folder')}
          {files ? (
            <Button
              icon={<FolderOpen />}
              busy={picking.busy}
              onClick={() =>
                void picking.run(async () => {
                  const picked = await pickFolder(files)
                  if (picked !== null) set('folder', folderIn(picked, dataDir))
                })
              }
            >
              {t('backup.pick')}
            </Button>
          ) : null}
        </div>
        <Refused refusal={dialog.refusal ?? picking.refusal} />
        <Button type="submit" icon={<Copy />} busy={dialog.busy}>
          {t('backup.start')}
        </Button>
      </form>
      {dialog.busy ? (
        <p role="status" className="text-fg-2 text-s">
          {t('backup.making')}
        </p>
      ) : null}
      {made ? (
        <Banner
          tone="done"
          inset
          title={t('backup.made', { count: made.deliveries, size: format.bytes(made.bytes) })}
        >
          {t('backup.opens')}{' '}
          <Address text={`acuse serve --data "${made.folder}"`} label={t('backup.copy')} />
        </Banner>
      ) : null}
    </Section>
  )
}
