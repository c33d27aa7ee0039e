import type { Group } from '#catalog/kinds.ts'
import styles from './group-dot.module.css'

/** The 7 px mark of a group's hue; an ornament, since the kind's name says the same. Hollow: no known group. */
export function GroupDot({ group }: { readonly group: Group | null }) {
  return (
    <span
      aria-hidden="true"
      className={group === null ? styles.none : styles.dot}
      style={group === null ? undefined : { background: `var(--g-${group})` }}
    />
  )
}
