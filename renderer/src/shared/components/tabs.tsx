import { ChevronLeft, ChevronRight, type LucideIcon } from 'lucide-react'
import { Tabs as Radix } from 'radix-ui'
import { type ReactNode, type Ref, type RefObject, useEffect, useRef, useState } from 'react'
import { useFormat } from '@/shared/i18n/format.ts'
import { cx } from './cx.ts'

const EDGE =
  'absolute z-1 inset-y-0 grid place-items-center w-32 py-0 border-0 bg-transparent text-fg-2 cursor-default hover:text-fg [&_svg]:size-14 forced-colors:bg-[Canvas]'
const BEFORE = 'left-0 pr-10 pl-0 bg-[linear-gradient(to_left,transparent,var(--panel)_45%)]'
const AFTER = 'right-0 pr-0 pl-10 bg-[linear-gradient(to_right,transparent,var(--panel)_45%)]'
const BADGE = cx(
  'min-w-16 px-5 py-2 rounded-8 text-panel text-center tabular-nums!',
  '[font:600_10px_/_1.2_var(--font-ui)]',
  'forced-colors:border forced-colors:border-[CanvasText]',
)
const ALERTS = { invalid: 'bg-invalid', warning: 'bg-warning', unreadable: 'bg-unreadable' } as const
const CHOSEN = cx(
  'text-fg font-semibold',
  'after:absolute after:inset-x-5 after:bottom-0 after:h-2 after:bg-accent',
  'forced-colors:border-b-2 forced-colors:border-[Highlight]',
)

/** Whether the row of tabs overflows. The wheel scrolls it sideways: a mouse has no other way. @param content changes with the tabs */
function useOverflow(row: RefObject<HTMLElement | null>, content: string) {
  const [overflow, setOverflow] = useState({ before: false, after: false })
  // biome-ignore lint/correctness/useExhaustiveDependencies: other content is another width
  useEffect(() => {
    const element = row.current
    if (!element) return
    const measure = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element
      const before = scrollLeft > 1
      const after = scrollLeft < scrollWidth - clientWidth - 1
      setOverflow((was) => (was.before === before && was.after === after ? was : { before, after }))
    }
    const wheeled = (event: WheelEvent) => {
      if (event.deltaX !== 0 || event.ctrlKey || element.scrollWidth <= element.clientWidth) return
      event.preventDefault()
      element.scrollLeft += event.deltaY
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    element.addEventListener('wheel', wheeled, { passive: false })
    measure()
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
      element.removeEventListener('wheel', wheeled)
    }
  }, [row, content])
  return overflow
}

export interface TabItem<V extends string> {
  readonly value: V
  readonly label: string
  /** A count behind the label. `alert` makes it the coloured badge of something wrong. */
  readonly count?: number
  readonly alert?: keyof typeof ALERTS
  /** What the count counts, for assistive technology. */
  readonly countLabel?: string
}
export interface TabsProps<V extends string> {
  readonly label: string
  readonly value: V
  readonly onChange: (value: V) => void
  readonly items: readonly TabItem<V>[]
  readonly className?: string | undefined
  readonly ref?: Ref<HTMLDivElement>
  readonly children: ReactNode
}

const PAGE = 0.6

/** A row of tabs with panels. Arrows, Home and End move between tabs; only the active panel is mounted. */
export function Tabs<V extends string>(props: TabsProps<V>) {
  const { label, value, onChange, items, className, ref, children } = props
  const format = useFormat()
  const list = useRef<HTMLDivElement>(null)
  const content = items.map((item) => `${item.label} ${item.count ?? ''}`).join('|')
  const { before, after } = useOverflow(list, content)
  const turn = (by: 1 | -1) => {
    const row = list.current
    if (row) row.scrollLeft += by * row.clientWidth * PAGE
  }
  const edge = (Chevron: LucideIcon, by: 1 | -1, look: string) => (
    <button
      type="button"
      tabIndex={-1}
      aria-hidden="true"
      className={cx(EDGE, look)}
      onClick={() => turn(by)}
    >
      <Chevron />
    </button>
  )
  // In a narrow pane the active tab may lie outside the visible part of the row.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change that scrolls
  useEffect(() => {
    list.current
      ?.querySelector('[data-state="active"]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [value, content])
  return (
    <Radix.Root
      ref={ref}
      className={cx('grid grid-rows-[auto_minmax(0,1fr)] grid-cols-1 min-w-0 min-h-0', className)}
      value={value}
      onValueChange={(next) => {
        const chosen = items.find((item) => item.value === next)
        if (chosen) onChange(chosen.value)
      }}
    >
      <div className="relative min-w-0 border-b border-line">
        {before ? edge(ChevronLeft, -1, BEFORE) : null}
        <Radix.List
          ref={list}
          className="flex gap-3 overflow-x-auto px-9 py-0 [scroll-padding:0_34px] [scrollbar-width:none]"
          aria-label={label}
        >
          {items.map((item) => (
            <Radix.Trigger
              key={item.value}
              value={item.value}
              className={cx(
                'relative inline-flex flex-none items-center gap-4 h-34 px-5 py-0 border-0 rounded-3',
                'bg-transparent line-s whitespace-nowrap cursor-default',
                'focus-visible:rounded-6 focus-visible:-outline-offset-4',
                item.value === value ? CHOSEN : 'text-fg-2 hover:text-fg',
              )}
            >
              {item.label}
              {item.count === undefined ? null : (
                <span
                  className={
                    item.alert ? cx(BADGE, ALERTS[item.alert]) : 'text-fg-3 font-normal tabular-nums'
                  }
                >
                  {format.number(item.count)}
                  {item.countLabel === undefined ? null : (
                    <span className="visually-hidden"> {item.countLabel}</span>
                  )}
                </span>
              )}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {after ? edge(ChevronRight, 1, AFTER) : null}
      </div>
      {children}
    </Radix.Root>
  )
}

const PANEL = 'min-w-0 min-h-0 outline-none focus-visible:[box-shadow:inset_0_0_0_2px_var(--accent)]'

export interface TabPanelProps {
  readonly value: string
  readonly className?: string | undefined
  readonly children: ReactNode
}

export function TabPanel({ value, className, children }: TabPanelProps) {
  return (
    <Radix.Content value={value} className={cx(PANEL, className)}>
      {children}
    </Radix.Content>
  )
}
