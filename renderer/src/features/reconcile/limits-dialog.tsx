import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/components/button.tsx'
import { Dialog } from '@/shared/components/dialog.tsx'

/** What no comparison with these routes can know. */
export function LimitsDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['reconcile', 'common'])
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('limits.title')}
      footer={<Button onClick={onClose}>{t('common:close')}</Button>}
    >
      <ul className="grid text-fg-2 text-s leading-[1.5] gap-10 [&_li]:pl-14 [&_li]:border-l-2 [&_li]:border-line-strong">
        {(['superseded', 'kinds', 'treasury', 'updates', 'rules', 'dates', 'deleted'] as const).map(
          (limit) => (
            <li key={limit}>{t(`limits.${limit}`)}</li>
          ),
        )}
      </ul>
    </Dialog>
  )
}
