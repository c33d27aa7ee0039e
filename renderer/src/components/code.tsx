import { Captured } from './captured.tsx'
import styles from './code.module.css'
import { CopyButton } from './copy-button.tsx'
import { cx } from './cx.ts'

export interface CodeProps {
  readonly text: string
  /** What the copy button copies, in words; absent for no button. */
  readonly copyLabel?: string
  /** Breaks long lines instead of scrolling sideways. */
  readonly wrap?: boolean
}

/** A small block of monospaced text, ready to copy. For bodies use the Raw tab: this holds a few lines. */
export function Code({ text, copyLabel, wrap = false }: CodeProps) {
  return (
    <div className={styles.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre className={cx(styles.text, wrap && styles.wrap)} tabIndex={0}>
        <Captured text={text} />
      </pre>
      {copyLabel === undefined ? null : <CopyButton text={text} label={copyLabel} small />}
    </div>
  )
}
