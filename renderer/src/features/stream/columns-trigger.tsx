import { Columns3 } from 'lucide-react'
import type { ComponentPropsWithRef } from 'react'
import { useTranslation } from 'react-i18next'

/** Stands over the end of the headings. */
export function ColumnsTrigger(props: ComponentPropsWithRef<'button'>) {
  const { t } = useTranslation('stream')
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      {...props}
      className="grid place-items-center w-22 h-20 p-0 border-0 rounded-4 bg-transparent text-fg-3 cursor-default hover:bg-hover hover:text-fg data-[state=open]:bg-hover data-[state=open]:text-fg [&_svg]:size-14"
      aria-label={t('columns.button')}
      title={t('columns.button')}
    >
      <Columns3 aria-hidden="true" />
    </button>
  )
}
