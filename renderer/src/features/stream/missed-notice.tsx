import { useTranslation } from 'react-i18next'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { list } from '@/shared/deliveries/list.ts'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'

/** Why the delivery that is open cannot be seen in the list, and the way to see it there. */
export function MissedNotice({ id }: { readonly id: number }) {
  const { t } = useTranslation('stream')
  const show = () => {
    useFilter.getState().set('')
    const stop = list.subscribe(() => {
      if (list.state().filter !== '') return
      stop()
      void openDelivery(id, null)
    })
  }
  return (
    <Banner
      tone="info"
      actions={
        <Button small onClick={show}>
          {t('missedShow')}
        </Button>
      }
    >
      {t('missed', { id })}
    </Banner>
  )
}
