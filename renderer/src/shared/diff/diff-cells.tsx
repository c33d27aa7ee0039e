// biome-ignore-all lint/a11y/useSemanticElements: rows that are positioned cannot be those of a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: the tree is one tab stop; its rows are active descendants
import { ChevronDown, ChevronRight, EyeOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { DiffNode, Side } from '#core/diff/types.ts'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Tag } from '@/shared/components/tag.tsx'
import type { DiffLayout, DiffRow } from './diff-rows.ts'

const SIGNS = { same: '', rewritten: '≈', changed: '≠', added: '+', removed: '−' } as const
const INK = {
  same: '',
  rewritten: 'text-noted',
  changed: 'text-warning',
  added: 'text-valid',
  removed: 'text-invalid',
} as const

/** Of the two sides, where they differ. */
const GROUNDS = {
  same: ['', ''],
  rewritten: ['bg-noted-weak', 'bg-noted-weak'],
  changed: ['bg-invalid-weak', 'bg-valid-weak'],
  added: ['', 'bg-valid-weak'],
  removed: ['bg-invalid-weak', ''],
} as const
const SIDE = 'flex items-center h-full px-8 border-s border-line-soft'
const BOTH = `${SIDE} gap-8 [&_i]:flex-none [&_i]:text-fg-2 [&_i]:not-italic`
/** Only where it may be pressed: a column of crossed eyes would drown the differences. */
const IGNORE =
  'p-3 border-0 rounded-4 bg-transparent text-fg-2 leading-[0] [[role=row]:not(:hover,[aria-selected=true])_&]:invisible [&_svg]:size-14'

export interface NodeCellsProps {
  readonly row: Extract<DiffRow, { type: 'node' }>
  readonly layout: DiffLayout
  readonly indent: number
  readonly onIgnore: (pointer: string) => void
}

export function NodeCells({ row, layout, indent, onIgnore }: NodeCellsProps) {
  const { t } = useTranslation('diff')
  const { node, open } = row
  const Chevron = open ? ChevronDown : ChevronRight
  const [left, right] = GROUNDS[open === true || node.ignored ? 'same' : node.change]
  return (
    <>
      <span
        role="gridcell"
        className="flex items-center gap-4 text-fg-2 [&>svg]:flex-none [&>svg]:text-fg-3 [&>svg]:size-12"
        style={{ paddingInlineStart: indent }}
      >
        {open === null ? <i className="flex-none text-fg-3 size-12" /> : <Chevron aria-hidden="true" />}
        <b
          className={cx('flex-none w-12 text-center', open !== true && !node.ignored && INK[node.change])}
          title={node.change === 'same' ? undefined : t(`change.${node.change}`)}
        >
          {open === true ? '' : SIGNS[node.change]}
        </b>
        <span className="min-w-0 overflow-hidden text-ellipsis [&_bdi]:whitespace-pre">
          {node.pointer === '' ? (
            t('root')
          ) : (
            <Captured text={node.key === null ? node.name : shortKey(node.key)} mono most={120} />
          )}
        </span>
        {node.moved ? (
          <Tag tone="accent">{t('moved', { from: node.moved.from + 1, to: node.moved.to + 1 })}</Tag>
        ) : null}
        {node.ignored ? <Tag>{t('ignored')}</Tag> : null}
      </span>
      {layout === 'inline' && open !== true && node.change !== 'same' ? (
        <span role="gridcell" className={BOTH}>
          {node.left ? <Value side={node.left} tone="left" /> : null}
          {node.left && node.right ? <i aria-hidden="true">→</i> : null}
          {node.right ? <Value side={node.right} tone="right" /> : null}
        </span>
      ) : layout === 'inline' ? (
        <span role="gridcell" className={BOTH}>
          <OneValue side={node.right} open={open} />
        </span>
      ) : (
        <>
          <span role="gridcell" className={cx(SIDE, left)}>
            <OneValue side={node.left} open={open} />
          </span>
          <span role="gridcell" className={cx(SIDE, right)}>
            <OneValue side={node.right} open={open} />
          </span>
        </>
      )}
      <span role="gridcell">
        {canIgnore(node, open) ? (
          <button
            type="button"
            tabIndex={-1}
            className={IGNORE}
            title={t('ignore')}
            aria-label={t('ignoreOne', { pointer: node.pointer })}
            onClick={(event) => {
              event.stopPropagation()
              onIgnore(node.pointer)
            }}
          >
            <EyeOff aria-hidden="true" />
          </button>
        ) : null}
      </span>
    </>
  )
}

/** The end of an id tells it from its neighbours. */
const shortKey = (key: string): string => key.replace(/ (?=.{17})(.*)(.{8})$/, ' …$2')

const canIgnore = (node: DiffNode, open: boolean | null): boolean =>
  node.change !== 'same' && !node.ignored && open !== true && node.pointer !== ''

function OneValue({ side, open }: { readonly side: Side | null; readonly open: boolean | null }) {
  const { t } = useTranslation('diff')
  if (side === null) return <span className="text-fg-2 italic">{t('absent')}</span>
  return open === true ? <span className="text-fg-2">{sizeText(side)}</span> : <Value side={side} />
}

const sizeText = ({ shape, size }: Side): string => (shape === 'array' ? `[ ${size} ]` : `{ ${size} }`)

function Value({ side, tone }: { readonly side: Side; readonly tone?: 'left' | 'right' }) {
  const text = side.source.replace(/\s*\n\s*/g, ' ')
  return (
    <span
      className={cx(
        'min-w-0 overflow-hidden text-s text-ellipsis [&_bdi]:whitespace-pre',
        tone === 'left' && 'px-3 rounded-3 bg-invalid-weak',
        tone === 'right' && 'px-3 rounded-3 bg-valid-weak',
      )}
    >
      <Captured text={side.clipped ? `${text}…` : text} mono most={400} />
    </span>
  )
}
