import { Popover } from 'radix-ui'
import { useMemo, useState } from 'react'
import { GROUPS, KINDS, type Kind } from '#catalog/kinds.ts'
import { Button } from '@/shared/components/button.tsx'
import { KindBoxes, kindsFound } from '@/shared/components/kind-boxes.tsx'
import { PopoverPanel } from '@/shared/components/popover-panel.tsx'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { useTexts } from '@/shared/i18n/format.ts'
import { chosenKinds, without, withValues } from '@/shared/live/filter-edit.ts'
import { KindsTrigger } from './triggers.tsx'

export function KindsMenu({ defaultOpen }: { readonly defaultOpen: boolean }) {
  const { t, language } = useTexts('stream')
  const [sought, setSought] = useState('')
  const { text, set } = useFilter()
  const chosen = useMemo(() => chosenKinds(text), [text])
  const groups = kindsFound(sought, language)
  return (
    <Popover.Root defaultOpen={defaultOpen} onOpenChange={() => setSought('')}>
      <Popover.Trigger asChild>
        <KindsTrigger />
      </Popover.Trigger>
      <PopoverPanel className="[--wide:660px] [--tall:560px]" label={t('kinds.title')}>
        <div className="flex items-center gap-8 pt-8 pr-8 pb-8 pl-14 border-b border-line">
          <input
            type="search"
            className="flex-1 min-w-0 h-24 border-0 bg-transparent text-s outline-none placeholder:text-fg-3 placeholder:opacity-100"
            aria-label={t('kinds.search')}
            placeholder={t('kinds.search')}
            value={sought}
            onChange={(event) => setSought(event.target.value)}
          />
          <Button
            small
            variant="quiet"
            disabled={chosen.size === 0}
            onClick={() => set(withKinds(text, new Set()))}
          >
            {t('kinds.clear')}
          </Button>
        </div>
        {groups.length === 0 ? <p className="p-24 text-fg-2 text-s text-center">{t('kinds.none')}</p> : null}
        <div className="columns-3 max-[640px]:columns-2 gap-x-18 px-14 pt-10 pb-4 overflow-y-auto">
          <KindBoxes {...{ groups, chosen }} onChange={(kinds) => set(withKinds(text, new Set(kinds)))} />
        </div>
      </PopoverPanel>
    </Popover.Root>
  )
}

/** Filter for these kinds, with short names for whole groups. All kinds or none give no condition. */
export function withKinds(text: string, chosen: ReadonlySet<Kind>): string {
  const rest = without(without(text, 'kind'), 'group')
  if (chosen.size === 0 || chosen.size === KINDS.length) return rest
  const kinds = KINDS.filter((k) => chosen.has(k.kind))
  const whole = GROUPS.map(({ slug }) => slug).filter((slug) =>
    KINDS.every((k) => k.group !== slug || chosen.has(k.kind)),
  )
  if (kinds.every((k) => whole.includes(k.group))) return withValues(rest, 'group', whole)
  // Values in one field are alternatives; two fields would both have to match.
  const names = kinds.map((k) => k.kind)
  return withValues(rest, 'kind', names)
}
