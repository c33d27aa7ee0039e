import { ChevronDown } from 'lucide-react'
import { Popover } from 'radix-ui'
import { KINDS, type Kind } from '#catalog/kinds.ts'
import { Button } from '@/shared/components/button.tsx'
import { KindBoxes, kindsFound } from '@/shared/components/kind-boxes.tsx'
import { PopoverPanel } from '@/shared/components/popover-panel.tsx'
import { useTexts } from '@/shared/i18n/format.ts'

export const ALL_KINDS: readonly Kind[] = KINDS.map(({ kind }) => kind)

export const kindsWord = (count: number) =>
  count === 0 ? 'noKinds' : count === KINDS.length ? 'allKinds' : 'someKinds'

/** Reports the kinds in the order of the catalogue. */
export function KindsPicker(props: {
  readonly value: readonly Kind[]
  readonly onChange: (kinds: readonly Kind[]) => void
}) {
  const { value, onChange } = props
  const { t, language } = useTexts('sandbox')
  const chosen = new Set(value)
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
        <KindBoxes {...{ chosen, onChange }} groups={kindsFound('', language)} indented />
      </div>
    </>
  )
}

interface KindsButtonProps {
  readonly label: string
  /** Null: all kinds. */
  readonly value: readonly Kind[] | null
  readonly onChange: (kinds: readonly Kind[] | null) => void
}

export function KindsButton({ label, value, onChange }: KindsButtonProps) {
  const { t } = useTexts('sandbox')
  const { length: count } = value ?? KINDS
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <Button aria-label={label}>
          {t(`laboratory.${kindsWord(count)}`, { count })}
          <ChevronDown aria-hidden="true" />
        </Button>
      </Popover.Trigger>
      <PopoverPanel
        className="[--wide:660px] [--tall:520px] gap-8 px-14 pt-10 pb-4 overflow-y-auto"
        label={label}
      >
        <KindsPicker
          value={value ?? ALL_KINDS}
          onChange={(kinds) => onChange(kinds.length === ALL_KINDS.length ? null : kinds)}
        />
      </PopoverPanel>
    </Popover.Root>
  )
}
