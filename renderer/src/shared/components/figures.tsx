import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './figures.module.css'

/** Short facts in a line, a dot between them. @param facts what is false or null is left out */
export function Figures(props: { readonly facts: readonly ReactNode[]; readonly className?: string }) {
  const { facts, className } = props
  return (
    <p className={cx(styles.figures, className)}>
      {facts.filter(Boolean).map((fact, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: facts of one thing have no identity but their place
        <span key={index}>{fact}</span>
      ))}
    </p>
  )
}
