import styles from './spinner.module.css'

/** Turns while something runs. With a label it speaks; without one it is an ornament of something that does. */
export function Spinner({ label }: { readonly label?: string }) {
  return label === undefined ? (
    <span className={styles.spinner} aria-hidden="true" />
  ) : (
    <span className={styles.spinner} role="status" aria-label={label} />
  )
}
