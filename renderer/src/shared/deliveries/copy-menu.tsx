import { ChevronDown } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Action } from '@/shared/actions/action.ts'
import { Button } from '@/shared/components/button.tsx'
import { Menu, useMenuEntry } from '@/shared/components/menu.tsx'
import { COPY_AS, type CopyAs } from '@/shared/live/layers.ts'
import { DELIVERY } from './actions.ts'

const FORMS: Readonly<Record<CopyAs, Action>> = {
  text: DELIVERY.copyText,
  json: DELIVERY.copyJson,
  ndjson: DELIVERY.copyNdjson,
  curl: DELIVERY.copyCurl,
  'curl-secrets': DELIVERY.copyCurlSecrets,
}

export function CopyMenu({ defaultOpen }: { readonly defaultOpen: boolean }) {
  const { t } = useTranslation(['order', 'stream'])
  const entry = useMenuEntry()
  return (
    <Menu
      defaultOpen={defaultOpen}
      trigger={
        <Button small icon={<ChevronDown />}>
          {t('stream:chosen.copy')}
        </Button>
      }
      entries={COPY_AS.map((as) => entry(FORMS[as], t(`copy.entry.${as}`)))}
    />
  )
}
