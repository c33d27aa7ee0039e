import { useTranslation } from 'react-i18next'
import { Menu } from '@/components/menu.tsx'
import { ColumnsTrigger } from './columns-trigger.tsx'
import type { Columns } from './use-columns.ts'

export interface ColumnsMenuProps {
  readonly columns: Columns
  readonly defaultOpen: boolean
}

/** Which columns are shown; also the way back for one that was hidden. */
export function ColumnsMenu({ columns, defaultOpen }: ColumnsMenuProps) {
  const { t } = useTranslation('stream')
  return (
    <Menu
      align="end"
      defaultOpen={defaultOpen}
      trigger={<ColumnsTrigger />}
      entries={[
        {
          type: 'group',
          label: columns.filter === null ? t('columns.show') : t('columns.showOf', { name: columns.filter }),
          entries: columns.order.map((id) => ({
            type: 'checkbox' as const,
            label: t(`column.${id}`),
            checked: !columns.hidden.includes(id),
            disabled: columns.visible.length === 1 && columns.visible[0] === id,
            onChange: (shown: boolean) => columns.setVisible(id, shown),
          })),
        },
        { type: 'separator' },
        {
          type: 'item',
          label:
            columns.filter === null ? t('columns.reset') : t('columns.resetOf', { name: columns.filter }),
          onSelect: columns.reset,
        },
      ]}
    />
  )
}
