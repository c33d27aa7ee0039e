import { BookOpen } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { remember, remembered } from '@/shared/live/remembered.ts'

const boolean = (value: unknown) => (typeof value === 'boolean' ? value : undefined)

/** Whether labels and documentation stand beside the fields, remembered for all tabs, and the button that turns them on and off. */
export function useDocumented(): { readonly documented: boolean; readonly toggle: ReactNode } {
  const { t } = useTranslation('detail')
  const [documented, setDocumented] = useState(() => remembered('event-documentation', boolean, true))
  const turn = () => {
    remember('event-documentation', !documented)
    setDocumented(!documented)
  }
  const toggle = (
    <IconButton
      small
      label={t('event.documentation')}
      icon={<BookOpen />}
      pressed={documented}
      onClick={turn}
    />
  )
  return { documented, toggle }
}
