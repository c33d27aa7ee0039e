import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'

export interface FactsProps {
  /** Facts without a value are left out. */
  readonly facts: readonly (readonly [name: string, value: string | null | undefined])[]
}

export function Facts({ facts }: FactsProps) {
  return (
    <dl className="px-14">
      {facts.map(([name, value]) =>
        value == null ? null : (
          <div
            key={name}
            className={cx(
              'grid grid-cols-[38%_minmax(0,1fr)] py-4 border-b border-line-soft',
              '[&_dt]:pr-10 [&_dt]:text-fg-2 [&_dt]:text-s [&_dd]:m-0',
            )}
          >
            <dt>{name}</dt>
            <dd>
              <Captured text={value} mono />
            </dd>
          </div>
        ),
      )}
    </dl>
  )
}
