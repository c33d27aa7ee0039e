import { ChevronDown } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button.tsx'
import { Menu } from '@/components/menu.tsx'
import { COPY_AS, type CopyAs } from '@/stores/copying.ts'
import { copyChosen } from './copy.ts'

const MOD = /mac/i.test(navigator.platform) ? '⌘' : 'Ctrl'

/** Copies what is chosen, in one of the forms. */
export function CopyMenu({ defaultOpen }: { readonly defaultOpen: boolean }) {
  const { t } = useTranslation(['order', 'stream', 'shell'])
  const keys: Partial<Record<CopyAs, string>> = {
    text: `${MOD} C`,
    json: 'y',
    curl: `${t('shell:keyNames.Shift')} Y`,
  }
  return (
    <Menu
      defaultOpen={defaultOpen}
      trigger={
        <Button small icon={<ChevronDown />}>
          {t('stream:chosen.copy')}
        </Button>
      }
      entries={COPY_AS.map((as) => ({
        type: 'item',
        label: t(`copy.entry.${as}`),
        ...(keys[as] ? { kbd: keys[as] } : {}),
        onSelect: () => void copyChosen(as),
      }))}
    />
  )
}
