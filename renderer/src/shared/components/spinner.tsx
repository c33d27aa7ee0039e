import { cx } from './cx.ts'
import styles from './spinner.module.css'

const SPINNER = cx(
  styles.spinner,
  'inline-block flex-none border-[1.5px] border-t-current rounded-full size-13',
  'border-[color-mix(in_srgb,currentColor_25%,transparent)]',
)

/** Spins during work. With a label it is announced; without one it decorates an element that is. */
export function Spinner({ label }: { readonly label?: string }) {
  return label === undefined ? (
    <span className={SPINNER} aria-hidden="true" />
  ) : (
    <span className={SPINNER} role="status" aria-label={label} />
  )
}
