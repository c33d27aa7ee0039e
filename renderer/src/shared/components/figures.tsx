import { Fragment, type ReactNode } from 'react'
import { cx } from './cx.ts'

/** Short facts in a line, separated by dots. @param facts false and null entries are omitted */
export function Figures(props: { readonly facts: readonly ReactNode[]; readonly className?: string }) {
  const { facts, className } = props
  return (
    <p
      className={cx(
        "flex flex-wrap gap-x-7 min-w-0 overflow-hidden text-fg-2 text-s tabular-nums [&>:not(:last-child)]:after:ml-7 [&>:not(:last-child)]:after:text-fg-3 [&>:not(:last-child)]:after:content-['·']",
        className,
      )}
    >
      {facts.filter(Boolean).map((fact, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: facts of one thing have no identity but their place
        <span key={index}>{fact}</span>
      ))}
    </p>
  )
}

/** A list of names and values. @param of false and null values are omitted */
export function Definitions(props: {
  readonly of: readonly (readonly [name: string, value: ReactNode] | false | null)[]
  /** Whether the names are sentences. */
  readonly sentences?: boolean
}) {
  const { of, sentences = false } = props
  return (
    <dl
      className={cx(
        'grid gap-x-16 text-s leading-[1.5]',
        sentences
          ? 'grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-y-10 [&_dt]:wrap-anywhere'
          : 'grid-cols-[minmax(96px,auto)_minmax(0,1fr)] gap-y-4',
        '[&_dt]:text-fg-2 [&_dd]:wrap-anywhere [&_dd]:select-text',
      )}
    >
      {of
        .filter((one) => one !== false && one !== null)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  )
}

const TONES = {
  busy: 'text-accent-text',
  good: 'text-valid',
  wary: 'text-warning',
  bad: 'text-invalid',
  off: 'text-fg-2',
} as const
export type StateTone = keyof typeof TONES

export function StateWord({ tone, children }: { readonly tone: StateTone; readonly children: ReactNode }) {
  return (
    <span className={cx('inline-flex flex-none items-center gap-6 text-s whitespace-nowrap', TONES[tone])}>
      <i aria-hidden="true" className="rounded-[50%] bg-current size-8 forced-color-adjust-none" />
      {children}
    </span>
  )
}
