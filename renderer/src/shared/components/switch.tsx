import { Switch as Radix } from 'radix-ui'
import { cx } from '@/shared/components/cx.ts'
import styles from './toggle.module.css'
import { type ToggleProps, ToggleRow } from './toggle-row.tsx'

export interface SwitchProps extends ToggleProps {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

/** On or off, taking effect at once. */
export function Switch({ checked, onChange, ...row }: SwitchProps) {
  return (
    <ToggleRow {...row}>
      {(control) => (
        <Radix.Root
          {...control}
          className={cx(styles.track, 'relative w-28 h-16 p-0 border border-fg-3 rounded-8 bg-sunken')}
          checked={checked}
          onCheckedChange={onChange}
        >
          <Radix.Thumb className={cx(styles.thumb, 'block m-2 rounded-[50%] bg-fg-3 size-10')} />
        </Radix.Root>
      )}
    </ToggleRow>
  )
}
