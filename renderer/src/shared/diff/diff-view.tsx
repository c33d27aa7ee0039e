import { Fragment, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Header } from '#contract/delivery.ts'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { ScrollRegion } from '@/shared/components/screen.tsx'
import { Table } from '@/shared/components/table.tsx'
import { type DiffLine, diffHeaders, diffLines } from './diffs.ts'

/** Equal lines shown around each difference; the others are folded into one. */
const AROUND = 3
/** Lines drawn at most: who has more differences than these is told. */
const DRAWN = 3_000

type Shown = DiffLine | { readonly type: 'fold'; readonly count: number; readonly at: number }

/** The lines to draw: differences with what is around them, and how many equal lines lie between. */
export function folded(lines: readonly DiffLine[]): readonly Shown[] {
  const near = new Array<boolean>(lines.length).fill(false)
  lines.forEach((line, i) => {
    if (line.type === 'same') return
    for (let n = Math.max(0, i - AROUND); n <= Math.min(lines.length - 1, i + AROUND); n++) near[n] = true
  })
  const shown: Shown[] = []
  let count = 0
  const fold = (at: number) => {
    if (count > 0) shown.push({ type: 'fold', count, at })
    count = 0
  }
  lines.forEach((line, i) => {
    if (!near[i]) {
      count++
      return
    }
    fold(i)
    shown.push(line)
  })
  fold(lines.length)
  return shown
}

const NOTE = 'text-fg-2 text-s leading-[1.5]'
const FOLD = 'px-10 py-1 bg-sunken text-fg-2 body-xs leading-18'
const AT = 'pr-8 text-xs text-end select-none'
const LINE = {
  same: '',
  left: 'bg-invalid-weak [&_b]:text-invalid',
  right: 'bg-valid-weak [&_b]:text-valid',
} as const
const SIGNS = { same: ' ', left: '−', right: '+' } as const

/** No body has no lines, not one that is empty. */
const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.split('\n'))

export function BodyDiff({ left, right }: { readonly left: string; readonly right: string }) {
  const found = useMemo(() => diffLines(linesOf(left), linesOf(right)), [left, right])
  return <LineDiff {...found} />
}

export function LineDiff({ lines, whole, equal }: ReturnType<typeof diffLines>) {
  const { t } = useTranslation('diff')
  if (equal) return <p className={NOTE}>{t('lines.bodiesEqual')}</p>
  const shown = folded(lines)
  return (
    <>
      {whole ? null : <p className={NOTE}>{t('lines.tooLong')}</p>}
      <ScrollRegion
        className={cx(
          'max-h-420 overflow-auto border border-line rounded bg-bg code-s-row',
          '[font-variant-ligatures:none]',
          'focus-visible:-outline-offset-1',
        )}
        label={t('lines.bodies')}
      >
        {shown.slice(0, DRAWN).map((line) =>
          line.type === 'fold' ? (
            <div key={`fold-${line.at}`} className={FOLD}>
              {t('lines.same', { count: line.count })}
            </div>
          ) : (
            <div
              key={`${line.type}-${'left' in line ? line.left : ''}-${'right' in line ? line.right : ''}`}
              className={cx(
                'grid grid-cols-[34px_34px_16px_minmax(0,1fr)] min-w-[max-content] pr-10 whitespace-pre [&_b]:font-bold',
                LINE[line.type],
              )}
            >
              <span className={cx(AT, line.type === 'same' ? 'text-fg-3' : 'text-fg-2')}>
                {'left' in line ? line.left : ''}
              </span>
              <span className={cx(AT, line.type === 'same' ? 'text-fg-3' : 'text-fg-2')}>
                {'right' in line ? line.right : ''}
              </span>
              {line.type === 'same' ? (
                <b>{SIGNS.same}</b>
              ) : (
                <b aria-label={t(`lines.only.${line.type}`)} role="img">
                  {SIGNS[line.type]}
                </b>
              )}
              <Captured text={line.text} most={4_000} />
            </div>
          ),
        )}
        {shown.length > DRAWN ? (
          <div className={FOLD}>{t('lines.more', { count: shown.length - DRAWN })}</div>
        ) : null}
      </ScrollRegion>
    </>
  )
}

type Plain = Pick<Header, 'name' | 'value'>

/** Headers that differ; their order means nothing. */
export function HeaderDiff(props: {
  readonly left: readonly Plain[]
  readonly right: readonly Plain[]
  readonly names: readonly [left: string, right: string]
}) {
  const { left, right, names } = props
  const { t } = useTranslation('diff')
  const differences = useMemo(() => diffHeaders(left, right), [left, right])
  if (differences.length === 0) return <p className={NOTE}>{t('lines.headersEqual')}</p>
  const cell = (values: readonly string[]) =>
    values.length === 0 ? (
      <span className="text-fg-3 italic">{t('lines.absent')}</span>
    ) : (
      values.map((value, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: values of one name have no identity but their place
        <Fragment key={i}>
          {i > 0 ? <br /> : null}
          <Captured text={value} mono most={2_000} />
        </Fragment>
      ))
    )
  type Difference = (typeof differences)[number]
  return (
    <Table
      className="table-fixed [&_:is(th,td)]:align-top [&_:is(th,td)]:wrap-anywhere [&_thead_th]:text-xs [&_tbody_th]:text-fg-2"
      rows={differences}
      keyOf={({ name }) => name.toLowerCase()}
      columns={[
        {
          id: 'name',
          title: t('lines.header'),
          names: true,
          cell: ({ name }) => ({ content: <Captured text={name} mono most={200} /> }),
        },
        ...(['left', 'right'] as const).map((side, i) => ({
          id: side,
          title: names[i] ?? '',
          cell: (difference: Difference) => ({ content: cell(difference[side]) }),
        })),
      ]}
    />
  )
}
