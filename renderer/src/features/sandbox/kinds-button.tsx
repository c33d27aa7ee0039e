import { ChevronDown } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useTranslation } from 'react-i18next'
import { KINDS, type Kind } from '#catalog/kinds.ts'
import { Button } from '@/shared/components/button.tsx'
import { floatingLayer, PopoverPanel } from '@/shared/components/popover-panel.tsx'
import styles from './kinds-button.module.css'
import { KindsPicker } from './kinds-picker.tsx'

export interface KindsButtonProps {
  /** What the kinds are of, for assistive technology. */
  readonly label: string
  /** null: all of them. */
  readonly value: readonly Kind[] | null
  readonly onChange: (kinds: readonly Kind[] | null) => void
}

const ALL = KINDS.map(({ kind }) => kind)

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
      <PopoverPanel className={styles.menu} label={label} container={floatingLayer()}>
        <KindsPicker
          value={value ?? ALL}
          onChange={(kinds) => onChange(kinds.length === ALL.length ? null : kinds)}
        />
      </PopoverPanel>
    </Popover.Root>
  )
}
