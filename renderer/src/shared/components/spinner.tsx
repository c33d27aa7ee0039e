import { cx } from './cx.ts'
import styles from './spinner.module.css'

const SPINNER = cx(
  styles.spinner,
  'inline-block flex-none border-[1.5px] border-t-current rounded-full size-13',
  'border-[color-mix(in_srgb,currentColor_25%,transparent)]',
)

/** Turns while something runs. With a label it speaks; without one it is an ornament of something that does. */
export function Spinner({ label }: { readonly label?: string }) {
  return label === undefined ? (
    <span className={SPINNER} aria-hidden="true" />
  ) : (
    <span className={SPINNER} role="status" aria-label={label} />
  )
}
