import { Switch as Radix } from 'radix-ui'
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
        <Radix.Root {...control} className={styles.track} checked={checked} onCheckedChange={onChange}>
          <Radix.Thumb className={styles.thumb} />
        </Radix.Root>
      )}
    </ToggleRow>
  )
}
