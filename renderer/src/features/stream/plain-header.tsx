// biome-ignore-all lint/a11y/useSemanticElements: rows that are positioned, and mostly absent, cannot be a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is one tab stop; rows are its active descendants
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ComponentPropsWithRef, Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '@/shared/components/cx.ts'
import { type ColumnId, columnNamed } from '@/shared/deliveries/columns.ts'
import { useSort } from '@/shared/deliveries/list.ts'
import { directionOf, sortKeyOf } from './use-columns.ts'

type Direction = ReturnType<typeof directionOf>

export function HeadingName({ id, sorted }: { readonly id: ColumnId; readonly sorted: Direction }) {
  const { t } = useTranslation('stream')
  return (
    <>
      {/* In Spanish the name is wider than the column's cells. */}
      <span className={id === 'verdict' ? 'in-data-short:invisible' : undefined}>
        {t(id === 'endpoint' ? 'endpointHeading' : `column.${id}`)}
      </span>
      {sorted === 'descending' ? <ArrowDown aria-hidden="true" /> : null}
      {sorted === 'ascending' ? <ArrowUp aria-hidden="true" /> : null}
    </>
  )
}

/** Alignment of a heading's name, as in its cells: figures at the end, with a gap after them. */
export function nameClass(visible: readonly ColumnId[], i: number): string {
  const [before, end] = [columnNamed(visible[i - 1])?.end, columnNamed(visible[i])?.end]
  return cx(
    'inline-flex flex-1 items-center gap-3 min-w-0 h-full p-0 border-0 bg-transparent select-none',
    'cursor-default',
    '[&>span]:overflow-hidden [&>span]:text-ellipsis [&_svg]:flex-none [&_svg]:size-11',
    end && 'justify-end',
    before && !end && 'ps-8',
  )
}

export interface HeadingsProps extends Pick<ComponentPropsWithRef<'div'>, 'onKeyDown'> {
  readonly visible: readonly ColumnId[]
  readonly row?: Ref<HTMLDivElement>
  /** Content and further attributes of a heading. */
  readonly heading: (id: ColumnId, place: number, sorted: Direction) => ComponentPropsWithRef<'div'>
}

export function Headings({ visible, row, heading, onKeyDown }: HeadingsProps) {
  const { t } = useTranslation('stream')
  const sort = useSort()
  return (
    <div
      role="rowgroup"
      className={cx(
        'sticky z-header top-0 grid grid-cols-(--columns) items-center gap-8 w-fit min-w-full h-26 pr-36',
        'pl-12 border-b border-line bg-panel text-fg-3 text-xs whitespace-nowrap',
      )}
      onKeyDown={onKeyDown}
    >
      <div ref={row} role="row" aria-rowindex={1} className="contents">
        {visible.map((id, i) => {
          const sorted = directionOf(sort, sortKeyOf(id))
          const { className, ...own } = heading(id, i, sorted)
          return (
            <div
              key={id}
              role="columnheader"
              aria-label={t(`column.${id}`)}
              aria-colindex={i + 1}
              aria-sort={sorted}
              className={cx(
                'relative flex items-center min-w-0 h-full',
                sorted ? 'text-fg' : 'hover:text-fg',
                className,
              )}
              {...own}
            />
          )
        })}
      </div>
    </div>
  )
}

/** Headings of the first render; grid-header.tsx replaces them pixel by pixel, with menus and handles. */
export function PlainHeader({ visible }: { readonly visible: readonly ColumnId[] }) {
  return (
    <Headings
      visible={visible}
      heading={(id, i, sorted) => ({
        children: (
          <span className={nameClass(visible, i)}>
            <HeadingName {...{ id, sorted }} />
          </span>
        ),
      })}
    />
  )
}
