import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { SORT_KEYS } from '#contract/values.ts'
import { Menu, type MenuEntry } from '@/shared/components/menu.tsx'
import { useSort } from '@/shared/deliveries/list.ts'
import { ColumnsTrigger } from './triggers.tsx'
import { type Columns, sortBy, sortName } from './use-columns.ts'

/** Menu entries that show or hide each column. */
const shownEntries = (columns: Columns, t: TFunction<'stream'>): readonly MenuEntry[] =>
  columns.order.map((id) => ({
    type: 'checkbox',
    label: t(`column.${id}`),
    checked: columns.visible.includes(id),
    disabled: columns.visible.length === 1 && columns.visible[0] === id,
    onChange: (shown: boolean) => columns.setVisible(id, shown),
  }))

/** The last entries of every heading's menu. */
export const columnEntries = (columns: Columns, t: TFunction<'stream'>): readonly MenuEntry[] => [
  { type: 'submenu', label: t('columns.button'), entries: shownEntries(columns, t) },
  resetEntry(columns, t),
]

const resetEntry = (columns: Columns, t: TFunction<'stream'>): MenuEntry => ({
  type: 'item',
  label: columns.filter === null ? t('columns.reset') : t('columns.resetOf', { name: columns.filter }),
  onSelect: columns.reset,
})

export function ColumnsMenu(props: { readonly columns: Columns; readonly defaultOpen: boolean }) {
  const { columns, defaultOpen } = props
  const { t } = useTranslation('stream')
  const { by, descending } = useSort() ?? { by: 'arrival', descending: true }
  return (
    <Menu
      align="end"
      defaultOpen={defaultOpen}
      trigger={<ColumnsTrigger />}
      entries={[
        {
          type: 'group',
          label: columns.filter === null ? t('columns.show') : t('columns.showOf', { name: columns.filter }),
          entries: shownEntries(columns, t),
        },
        { type: 'separator' },
        {
          type: 'submenu',
          label: t('sort.by'),
          entries: [
            {
              type: 'radio',
              value: by,
              onChange: (key) => sortBy(SORT_KEYS.find((known) => known === key) ?? 'arrival', descending),
              options: SORT_KEYS.map((value) => ({ value, label: sortName(t, value) })),
            },
            { type: 'separator' },
            {
              type: 'radio',
              value: String(descending),
              onChange: (value) => sortBy(by, value === 'true'),
              options: [
                { value: 'false', label: t('sort.up') },
                { value: 'true', label: t('sort.down') },
              ],
            },
          ],
        },
        { type: 'separator' },
        resetEntry(columns, t),
      ]}
    />
  )
}
