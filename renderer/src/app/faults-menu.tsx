import { Popover } from 'radix-ui'
import { useTranslation } from 'react-i18next'
import type { Fault } from '#contract/faults.ts'
import { endFaults, FaultList } from '@/features/settings/fault-list.tsx'
import { Button } from '@/shared/components/button.tsx'
import { PopoverPanel } from '@/shared/components/popover-panel.tsx'
import { useRoute } from '@/shared/live/route.ts'
import { FaultsTrigger } from './faults-trigger.tsx'

export function FaultsMenu(props: { readonly faults: readonly Fault[]; readonly defaultOpen: boolean }) {
  const { faults, defaultOpen } = props
  const { t } = useTranslation('settings')
  const go = useRoute((s) => s.go)
  return (
    <Popover.Root defaultOpen={defaultOpen}>
      <Popover.Trigger asChild>
        <FaultsTrigger count={faults.length} />
      </Popover.Trigger>
      <PopoverPanel
        className="[--wide:400px] [--tall:420px] px-14 pt-4 pb-12 overflow-y-auto text-s outline-none [&_li:first-child]:border-t-0"
        label={t('faults.title')}
        // Otherwise the first button gets the focus, and its tooltip covers the list.
        onOpenAutoFocus={(event) => {
          event.preventDefault()
          if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
        }}
      >
        <FaultList faults={faults} />
        <div className="flex justify-end gap-6 mt-10">
          <Popover.Close asChild>
            <Button small onClick={() => go('settings', 'faults')}>
              {t('faults.title')}…
            </Button>
          </Popover.Close>
          {/* The menu closes when the last fault ends. */}
          <Button small onClick={() => void endFaults(faults).catch(() => undefined)}>
            {t('faults.endAll')}
          </Button>
        </div>
      </PopoverPanel>
    </Popover.Root>
  )
}
