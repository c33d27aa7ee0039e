import { useTranslation } from 'react-i18next'
import { Banner } from '@/components/banner.tsx'
import { Button } from '@/components/button.tsx'
import { useCursor } from '@/stores/cursor.ts'
import { useFilter } from '@/stores/filter.ts'

/** Why the delivery that is open cannot be seen in the list, and the way to see it there. */
export function MissedNotice({ id }: { readonly id: number }) {
  const { t } = useTranslation('stream')
  const show = () => {
    // Another set looks for the row that is pointed at.
    useCursor.getState().point({ id, position: 0 })
    useFilter.getState().set('')
  }
  return (
    <Banner
      tone="info"
      actions={
        <Button small onClick={show}>
          {t('noMatch.clear')}
        </Button>
      }
    >
      {t('missed', { id })}
    </Banner>
  )
}
