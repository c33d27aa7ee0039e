import { Columns3 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Menu } from '@/components/menu.tsx'
import styles from './columns-button.module.css'
import type { Columns } from './use-columns.ts'

/** Which columns are shown; also the way back for one that was hidden. */
export function ColumnsButton({ columns }: { readonly columns: Columns }) {
  const { t } = useTranslation('stream')
  return (
    <div className={styles.place}>
      <Menu
        align="end"
        trigger={
          <button
            type="button"
            className={styles.button}
            aria-label={t('columns.button')}
            title={t('columns.button')}
          >
            <Columns3 aria-hidden="true" />
          </button>
        }
        entries={[
          {
            type: 'group',
            label: t('columns.show'),
            entries: columns.order.map((id) => ({
              type: 'checkbox' as const,
              label: t(`column.${id}`),
              checked: !columns.hidden.includes(id),
              disabled: columns.visible.length === 1 && columns.visible[0] === id,
              onChange: (shown: boolean) => columns.setVisible(id, shown),
            })),
          },
          { type: 'separator' },
          { type: 'item', label: t('columns.reset'), onSelect: columns.reset },
        ]}
      />
    </div>
  )
}
