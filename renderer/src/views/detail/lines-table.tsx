// biome-ignore-all lint/a11y/useSemanticElements: a virtual grid that scrolls both ways cannot be a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, its rows are active descendants
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid takes the keys
import { type KeyboardEvent, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { LINE_FIELDS } from '#catalog/fields.ts'
import type { Finding } from '#contract/delivery.ts'
import { Captured } from '@/components/captured.tsx'
import { cx } from '@/components/cx.ts'
import { useVirtualRows } from '@/components/use-virtual-rows.ts'
import { VERDICT_SIGNS } from '@/components/verdict-mark.tsx'
import { useLanguage } from '@/i18n/format.ts'
import type { Member } from '@/workers/protocol.ts'
import { pointerTo } from './event-fields.ts'
import { VERDICT_OF, worstOf } from './finding-note.tsx'
import styles from './lines-table.module.css'
import type { Items } from './use-items.ts'

export interface LinesTableProps {
  readonly list: { readonly count: number }
  readonly pointer: string
  readonly findings: readonly Finding[]
  readonly items: Items
  readonly chosen: number | null
  readonly onChoose: (index: number) => void
}

const ROW = 26
const COLUMNS = [...LINE_FIELDS.values()]

/** Findings by the position of their line. */
function byLine(findings: readonly Finding[], pointer: string): ReadonlyMap<number, readonly Finding[]> {
  const map = new Map<number, Finding[]>()
  for (const finding of findings) {
    const index = Number(finding.pointer.slice(pointer.length + 1).split('/')[0] || Number.NaN)
    if (Number.isInteger(index)) map.set(index, [...(map.get(index) ?? []), finding])
  }
  return map
}

/** The 22 documented fields of each line in catalogue order; arrows choose a line. */
export function LinesTable({ list, pointer, findings, items, chosen, onChoose }: LinesTableProps) {
  const { t } = useTranslation('detail')
  const language = useLanguage()
  const rows = useVirtualRows({ count: list.count, rowPx: ROW, headerPx: ROW, beyond: 8 })
  const { first, past, reveal } = rows
  const { want } = items
  const marked = useMemo(() => byLine(findings, pointer), [findings, pointer])
  useEffect(() => want(first, past), [want, first, past])
  const choose = (index: number) => {
    const next = Math.max(0, Math.min(list.count - 1, index))
    onChoose(next)
    reveal(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const present = chosen ?? -1
    const next = {
      ArrowDown: present + 1,
      ArrowUp: Math.max(0, present - 1),
      PageDown: present + rows.pageRows,
      PageUp: present - rows.pageRows,
      Home: 0,
      End: list.count - 1,
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    choose(next)
  }
  const cell = (members: readonly Member[], name: string) =>
    members.findLast((m) => m.name === name) ??
    members.findLast((m) => m.name.toLowerCase() === name.toLowerCase())
  return (
    <div
      ref={rows.scroller}
      className={styles.scroller}
      tabIndex={0}
      role="grid"
      aria-label={t('lines.table')}
      aria-rowcount={list.count + 1}
      aria-colcount={COLUMNS.length + 1}
      {...(chosen === null ? {} : { 'aria-activedescendant': `line-${chosen}` })}
      onKeyDown={onKeyDown}
    >
      <div role="row" aria-rowindex={1} className={styles.head}>
        <span role="columnheader" className={styles.ordinal}>
          #
        </span>
        {COLUMNS.map((column) => (
          <span role="columnheader" key={column.name} className={styles.cell} title={column.label[language]}>
            {column.name}
          </span>
        ))}
      </div>
      <div role="presentation" className={styles.body} style={{ height: rows.height }}>
        <div role="presentation" style={{ transform: `translateY(${rows.top}px)` }}>
          {Array.from({ length: Math.max(0, past - first) }, (_, k) => {
            const index = first + k
            const members = items.at(index)
            const own = marked.get(index) ?? []
            const level = worstOf(own)
            const wrong = new Set(own.map((finding) => finding.pointer))
            return (
              <div
                role="row"
                key={index}
                id={`line-${index}`}
                aria-rowindex={index + 2}
                aria-selected={index === chosen}
                className={cx(styles.row, index === chosen && styles.chosen)}
                onClick={() => choose(index)}
              >
                <span role="rowheader" className={styles.ordinal}>
                  {level ? (
                    <b className={styles[level]} title={t(`level.${level}`)}>
                      {VERDICT_SIGNS[VERDICT_OF[level]]}
                    </b>
                  ) : null}
                  {index + 1}
                </span>
                {members
                  ? COLUMNS.map((column) => {
                      const member = members[0]?.name === '' ? undefined : cell(members, column.name)
                      const bad = wrong.has(
                        pointerTo(pointerTo(pointer, String(index)), member?.name ?? column.name),
                      )
                      return (
                        <span
                          role="gridcell"
                          key={column.name}
                          className={cx(
                            styles.cell,
                            member?.type === 'number' && styles.number,
                            bad && member && level && styles[level],
                          )}
                        >
                          <Cell member={member} absent={t('event.absent')} />
                        </span>
                      )
                    })
                  : null}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

function Cell({ member, absent }: { readonly member: Member | undefined; readonly absent: string }) {
  if (!member) {
    return (
      <span className={styles.nothing} title={absent}>
        –
      </span>
    )
  }
  if (member.type === 'literal' && member.text === 'null') return <span className={styles.nothing}>null</span>
  return <Captured text={member.text} most={80} />
}
