import { Fragment } from 'react'
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
  /** Characters of a line drawn at most. */
  readonly most?: number
}

/** A small block of monospaced text, ready to copy. For bodies use the Raw tab: this holds a few lines. */
export function Code({ text, copyLabel, wrap = false, most = 2_000 }: CodeProps) {
  return (
    <div className={styles.block}>
      <pre
        className={cx(
          styles.text,
          'flex-1 min-w-0 overflow-x-auto py-3 code-s-loose select-text focus-visible:outline-offset-2 focus-visible:rounded-3',
          wrap && 'wrap-anywhere whitespace-pre-wrap',
        )}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
      >
        {text.split('\n').map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text have no identity but their place
          <Fragment key={index}>
            {index === 0 ? '' : '\n'}
            <Captured text={line} most={most} />
          </Fragment>
        ))}
      </pre>
      {copyLabel === undefined ? null : <CopyButton text={text} label={copyLabel} small />}
    </div>
  )
}
