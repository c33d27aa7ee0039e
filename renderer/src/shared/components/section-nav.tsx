import { type ReactNode, useEffect, useRef } from 'react'
import { cx } from './cx.ts'
import { useWidth } from './use-width.ts'

export interface SectionNavProps<N extends string> {
  readonly label: string
  readonly groups: readonly { readonly name?: string; readonly items: readonly N[] }[]
  readonly text: (name: N) => string
  readonly mark?: (name: N) => ReactNode
  readonly at: N
  readonly onGo: (name: N) => void
  /** Above and below the sections. */
  readonly head?: ReactNode
  readonly foot?: ReactNode
}

/** Navigation between the sections of a screen: a column, in a narrow window a row. */
export function SectionNav<N extends string>(props: SectionNavProps<N>) {
  const { label, groups, text, mark, at, onGo, head, foot } = props
  const nav = useRef<HTMLElement>(null)
  const width = useWidth(nav)
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another width the row shows other sections
  useEffect(() => {
    const current = nav.current?.querySelector('[aria-current]')
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [at, width])
  return (
    <nav
      ref={nav}
      className={cx(
        'flex flex-col gap-12 overflow-y-auto px-10 py-10 bg-panel border-r border-line',
        'max-[820px]:flex-row max-[820px]:items-center max-[820px]:overflow-x-auto max-[820px]:px-12 max-[820px]:py-6',
        'max-[820px]:border-r-0 max-[820px]:border-b',
      )}
      aria-label={label}
    >
      {head}
      {groups.map(({ name, items }) => (
        <div key={items[0]}>
          {name === undefined ? null : (
            <p className="px-8 pb-4 text-fg-3 label-xs max-[820px]:hidden">{name}</p>
          )}
          <ul className="grid gap-1 max-[820px]:flex" aria-label={name}>
            {items.map((one) => (
              <li key={one} className="flex-none">
                <NavItem label={text(one)} on={one === at} onClick={() => onGo(one)}>
                  {mark?.(one)}
                </NavItem>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {foot}
    </nav>
  )
}

interface NavItemProps {
  readonly label: string
  readonly on?: boolean
  readonly onClick: () => void
  readonly children?: ReactNode
}

export function NavItem({ label, on = false, onClick, children }: NavItemProps) {
  return (
    <button
      type="button"
      className={cx(
        'flex items-center gap-7 w-full h-28 px-8 py-0 border-0 rounded body-m leading-none text-left whitespace-nowrap cursor-default',
        on
          ? 'bg-accent-weak text-accent-text font-medium forced-colors:outline forced-colors:outline-[Highlight]'
          : 'bg-transparent text-fg-2 hover:bg-hover hover:text-fg',
      )}
      aria-current={on ? 'true' : undefined}
      onClick={onClick}
    >
      <span className="flex-1 overflow-hidden text-ellipsis leading-[1.3]">{label}</span>
      {children}
    </button>
  )
}
