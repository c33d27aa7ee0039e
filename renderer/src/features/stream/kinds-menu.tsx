import { Popover } from 'radix-ui'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { GROUPS, KINDS, type Kind } from '#catalog/kinds.ts'
import { Button } from '@/shared/components/button.tsx'
import { PopoverPanel } from '@/shared/components/popover-panel.tsx'
import { GroupDot } from '@/shared/components/tag.tsx'
import { Checkbox } from '@/shared/components/toggle.tsx'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { useLanguage } from '@/shared/i18n/format.ts'
import { chosenKinds, without, withValues } from '@/shared/live/filter-edit.ts'
import { KindsTrigger } from './triggers.tsx'

function toggled(chosen: ReadonlySet<Kind>, kinds: readonly Kind[], on: boolean): ReadonlySet<Kind> {
  const next = new Set(chosen)
  for (const kind of kinds) on ? next.add(kind) : next.delete(kind)
  return next
}

export function KindsMenu({ defaultOpen }: { readonly defaultOpen: boolean }) {
  const { t } = useTranslation('stream')
  const language = useLanguage()
  const [sought, setSought] = useState('')
  const { text, set } = useFilter()
  const chosen = useMemo(() => chosenKinds(text), [text])
  const change = (kinds: readonly Kind[], on: boolean) => set(withKinds(text, toggled(chosen, kinds, on)))
  const wanted = sought.trim().toLowerCase()
  const groups = GROUPS.map(({ slug, name }) => ({
    slug,
    name: name[language],
    kinds: KINDS.filter(
      (k) =>
        k.group === slug &&
        (k.kind.includes(wanted) ||
          name[language].toLowerCase().includes(wanted) ||
          k.emittedWhen[language].toLowerCase().includes(wanted)),
    ),
  })).filter(({ kinds }) => kinds.length > 0)
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
          {groups.map(({ slug, name, kinds }) => {
            const on = kinds.filter((k) => chosen.has(k.kind)).length
            return (
              <fieldset
                key={slug}
                className="m-0 px-0 pt-0 pb-10 border-0 min-w-0 break-inside-avoid"
                aria-label={name}
              >
                <div className="flex items-center gap-6 h-24 [&_label]:font-semibold">
                  <Checkbox
                    label={name}
                    checked={on === 0 ? false : on === kinds.length ? true : 'indeterminate'}
                    onChange={(now) =>
                      change(
                        kinds.map((k) => k.kind),
                        now,
                      )
                    }
                  />
                  <GroupDot group={slug} />
                </div>
                {kinds.map((k) => (
                  <div
                    key={k.kind}
                    className="flex items-center gap-6 h-24 [&_label]:code-s [&_label]:text-fg-2 [&_label]:[font-variant-ligatures:none]"
                    title={k.emittedWhen[language]}
                  >
                    <Checkbox
                      label={k.kind}
                      checked={chosen.has(k.kind)}
                      onChange={(now) => change([k.kind], now)}
                    />
                  </div>
                ))}
              </fieldset>
            )
          })}
        </div>
      </PopoverPanel>
    </Popover.Root>
  )
}

/** The filter that selects these kinds, whole groups by their short name. All of them, or none, is no condition at all. */
export function withKinds(text: string, chosen: ReadonlySet<Kind>): string {
  const rest = without(without(text, 'kind'), 'group')
  if (chosen.size === 0 || chosen.size === KINDS.length) return rest
  const whole = GROUPS.filter(({ slug }) => KINDS.every((k) => k.group !== slug || chosen.has(k.kind)))
  const single = KINDS.filter((k) => chosen.has(k.kind) && !whole.some(({ slug }) => slug === k.group))
  if (whole.length > 0 && single.length === 0)
    return withValues(
      rest,
      'group',
      whole.map(({ slug }) => slug),
    )
  // One field holds alternatives; two fields would have to hold both at once.
  return withValues(
    rest,
    'kind',
    KINDS.filter((k) => chosen.has(k.kind)).map((k) => k.kind),
  )
}
