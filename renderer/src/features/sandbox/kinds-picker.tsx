import { ChevronDown } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useTranslation } from 'react-i18next'
import { GROUPS, type Group, KINDS, type Kind } from '#catalog/kinds.ts'
import type { Language } from '#catalog/text.ts'
import { Button } from '@/shared/components/button.tsx'
import { floatingLayer, PopoverPanel } from '@/shared/components/popover-panel.tsx'
import { GroupDot } from '@/shared/components/tag.tsx'
import { Checkbox } from '@/shared/components/toggle.tsx'
import { useLanguage } from '@/shared/i18n/format.ts'

export const ALL_KINDS: readonly Kind[] = KINDS.map(({ kind }) => kind)

interface KindGroup {
  readonly slug: Group
  readonly name: string
  readonly kinds: readonly Kind[]
}

/** The kinds by group whose name, group or meaning holds the text, groups without any left out. */
export function kindsFound(sought: string, language: Language): readonly KindGroup[] {
  const wanted = sought.trim().toLowerCase()
  const holds = (text: string) => text.toLowerCase().includes(wanted)
  return GROUPS.map(({ slug, name }) => ({
    slug,
    name: name[language],
    kinds: KINDS.filter(
      (k) => k.group === slug && (holds(k.kind) || holds(name[language]) || holds(k.emittedWhen[language])),
    ).map((k) => k.kind),
  })).filter(({ kinds }) => kinds.length > 0)
}

export interface KindsPickerProps {
  readonly value: readonly Kind[]
  /** In the order of the catalogue. */
  readonly onChange: (kinds: readonly Kind[]) => void
}

/** Any number of the 28 kinds, by group, with a box for each group as a whole. */
export function KindsPicker({ value, onChange }: KindsPickerProps) {
  const { t } = useTranslation('sandbox')
  const language = useLanguage()
  const chosen = new Set(value)
  const set = (kinds: readonly Kind[], on: boolean) => {
    const next = new Set(chosen)
    for (const kind of kinds) on ? next.add(kind) : next.delete(kind)
    onChange(ALL_KINDS.filter((kind) => next.has(kind)))
  }
  const all = ALL_KINDS.length
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-8 gap-y-6">
        <span className="flex-1 text-fg-2 text-s tabular-nums">
          {t('kinds.chosen', { count: chosen.size, all })}
        </span>
        <Button small variant="quiet" disabled={chosen.size === all} onClick={() => onChange(ALL_KINDS)}>
          {t('kinds.all')}
        </Button>
        <Button small variant="quiet" disabled={chosen.size === 0} onClick={() => onChange([])}>
          {t('kinds.none')}
        </Button>
      </div>
      <div className="[columns:3_190px] gap-x-20">
        {kindsFound('', language).map(({ slug, name, kinds }) => {
          const on = kinds.filter((kind) => chosen.has(kind)).length
          return (
            <fieldset
              key={slug}
              className="min-w-0 m-0 px-0 pt-0 pb-10 border-0 break-inside-avoid"
              aria-label={name}
            >
              <div className="flex items-center gap-6 min-h-24 [&_label]:font-semibold">
                <GroupDot group={slug} />
                <Checkbox
                  label={name}
                  checked={on === kinds.length ? true : on === 0 ? false : 'indeterminate'}
                  onChange={(now) => set(kinds, now)}
                />
              </div>
              {kinds.map((kind) => (
                <div
                  key={kind}
                  className="flex items-center gap-6 min-h-24 pl-14 [&_label]:text-fg-2 [&_label]:code-s"
                >
                  <Checkbox label={kind} checked={chosen.has(kind)} onChange={(now) => set([kind], now)} />
                </div>
              ))}
            </fieldset>
          )
        })}
      </div>
    </>
  )
}

export interface KindsButtonProps {
  /** What the kinds are of, for assistive technology. */
  readonly label: string
  /** null: all of them. */
  readonly value: readonly Kind[] | null
  readonly onChange: (kinds: readonly Kind[] | null) => void
}

/** Which kinds, as a button that says how many and opens the choice. */
export function KindsButton({ label, value, onChange }: KindsButtonProps) {
  const { t } = useTranslation('sandbox')
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <Button aria-label={label}>
          {value === null
            ? t('laboratory.allKinds')
            : value.length === 0
              ? t('laboratory.noKinds')
              : t('laboratory.onlyKinds', { count: value.length })}
          <ChevronDown aria-hidden="true" />
        </Button>
      </Popover.Trigger>
      <PopoverPanel
        className="[--wide:660px] [--tall:520px] gap-8 px-14 pt-10 pb-4 overflow-y-auto"
        label={label}
        container={floatingLayer()}
      >
        <KindsPicker
          value={value ?? ALL_KINDS}
          onChange={(kinds) => onChange(kinds.length === ALL_KINDS.length ? null : kinds)}
        />
      </PopoverPanel>
    </Popover.Root>
  )
}
