import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { type ReactNode, useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Diff, VOLATILE } from '#core/diff/types.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Dialog } from '@/shared/components/dialog.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { TabPanel, Tabs } from '@/shared/components/tabs.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { type ComparedPair, useCompare } from '@/shared/live/layers.ts'
import { remember, remembered } from '@/shared/live/remembered.ts'
import styles from './diff-layer.module.css'
import type { Comparison, TextDiff } from './diff-protocol.ts'
import type { DiffLayout } from './diff-rows.ts'
import { DiffTree } from './diff-tree.tsx'
import { HeaderDiff, LineDiff } from './diff-view.tsx'
import { diffHeaders } from './header-diff.ts'
import type { Compared, Loaded } from './load-pair.ts'
import { SideFacts } from './side-facts.tsx'
import { type UsedComparison, useComparison } from './use-comparison.ts'

/** The members whose differences are passed over; each can be taken back. */
function IgnoredBar({
  ignored,
  onChange,
}: {
  readonly ignored: readonly string[]
  readonly onChange: (ignored: readonly string[]) => void
}) {
  const { t } = useTranslation('diff')
  if (ignored.length === 0) return null
  return (
    <div className={cx(styles.ignored, 'flex flex-wrap items-center gap-6 text-fg-2 text-s [&_svg]:size-11')}>
      <span>{t('ignoring')}</span>
      {ignored.map((pointer) => (
        <button
          key={pointer}
          type="button"
          aria-label={t('stopIgnoring', { pointer })}
          title={t('stopIgnoring', { pointer })}
          onClick={() => onChange(ignored.filter((one) => one !== pointer))}
        >
          <Captured text={pointer} mono most={80} />
          <X aria-hidden="true" />
        </button>
      ))}
    </div>
  )
}

/** The comparison of two deliveries, over whatever screen there is. */
export function DiffLayer() {
  const pair = useCompare((s) => s.pair)
  return pair ? <Compare key={`${pair.left} ${pair.right}`} pair={pair} /> : null
}

/** As wide as what it says: two deliveries side by side, or the sentence that there are none. */
function Compare({ pair }: { readonly pair: ComparedPair }) {
  const { t } = useTranslation('diff')
  const close = useCompare((s) => s.close)
  const [ignored, setIgnored] = useState<readonly string[]>(VOLATILE)
  const used = useComparison(pair, ignored)
  const both = used.loaded?.state === 'loaded' && used.refusal === null
  return (
    <Dialog open onClose={close} title={t('title')} width={both ? 1_560 : 480}>
      <Outcome {...used} {...{ ignored, setIgnored }} />
    </Dialog>
  )
}

interface OutcomeProps extends UsedComparison {
  readonly ignored: readonly string[]
  readonly setIgnored: (ignored: readonly string[]) => void
}

function Outcome({ loaded, comparison, refusal, ignored, setIgnored }: OutcomeProps) {
  const { t } = useTranslation(['diff', 'common'])
  const refusalText = useRefusalText()
  if (refusal) return <Banner tone="error">{refusalText(refusal)}</Banner>
  if (!loaded || (loaded.state === 'loaded' && !comparison))
    return (
      <div className="grid place-items-center h-80">
        <Spinner label={t('common:loading')} />
      </div>
    )
  if (loaded.state !== 'loaded') return <Unable loaded={loaded} />
  return comparison ? <Both {...loaded} {...{ comparison, ignored, setIgnored }} /> : null
}

/** There is nothing to compare with, and why. */
function Unable({ loaded }: { readonly loaded: Exclude<Loaded, { state: 'loaded' }> }) {
  const { t } = useTranslation('diff')
  const format = useFormat()
  const limit = loaded.state === 'too-large' ? format.bytes(loaded.limit) : ''
  return <Banner tone="info">{t(`unable.${loaded.state}`, { limit })}</Banner>
}

type Part = 'body' | 'headers'

function Both(props: {
  readonly left: Compared
  readonly right: Compared
  readonly comparison: Comparison
  readonly ignored: readonly string[]
  readonly setIgnored: (ignored: readonly string[]) => void
}) {
  const { left, right, comparison, ignored, setIgnored } = props
  const { t } = useTranslation('diff')
  const [part, setPart] = useState<Part>('body')
  const headers = diffHeaders(left.detail.headers, right.detail.headers).length
  const names = [`#${left.detail.id}`, `#${right.detail.id}`] as const
  return (
    <div className="flex flex-col gap-10 h-[calc(100vh_-_150px)] min-h-320">
      <div className="grid grid-cols-[1fr_1fr] gap-8">
        <SideFacts side={left} />
        <SideFacts side={right} />
      </div>
      <Tabs<Part>
        label={t('parts')}
        className={styles.tabs}
        value={part}
        onChange={setPart}
        items={[
          { value: 'body', label: t('part.body') },
          { value: 'headers', label: t('part.headers'), count: headers },
        ]}
      >
        <TabPanel value="body" className={styles.body}>
          {'diff' in comparison ? (
            <Structure diff={comparison.diff} {...{ ignored, setIgnored }} />
          ) : (
            <Text text={comparison.text} />
          )}
        </TabPanel>
        <TabPanel value="headers" className={styles.headers}>
          <HeaderDiff left={left.detail.headers} right={right.detail.headers} names={names} />
        </TabPanel>
      </Tabs>
    </div>
  )
}

const COUNTED = ['changed', 'added', 'removed', 'moved', 'rewritten', 'ignored'] as const
const readLayout = (stored: unknown): DiffLayout | undefined =>
  stored === 'side-by-side' || stored === 'inline' ? stored : undefined

function Structure({
  diff,
  ignored,
  setIgnored,
}: {
  readonly diff: Diff
  readonly ignored: readonly string[]
  readonly setIgnored: (ignored: readonly string[]) => void
}) {
  const { t } = useTranslation(['diff', 'shell'])
  const [shown, setShown] = useState(() => remembered('diff-layout', readLayout, 'side-by-side'))
  const [asked, setAsked] = useState(0)
  const [{ stop, stops }, setStop] = useState({ stop: -1, stops: 0 })
  const onStop = useCallback((at: number, of: number) => setStop({ stop: at, stops: of }), [])
  const step = (by: 1 | -1) => setAsked((before) => by * (Math.abs(before) + 1))
  const counted = COUNTED.filter((what) => diff.counts[what] > 0)
  return (
    <>
      <div className="flex flex-wrap items-center gap-6">
        <p role="status" className="text-m">
          {counted.length === 0
            ? t('equal')
            : counted.map((what) => t(`counts.${what}`, { count: diff.counts[what] })).join(' · ')}
        </p>
        <span className="flex-1" />
        {stop >= 0 ? (
          <span className="text-fg-2 text-s">{t('place', { at: stop + 1, of: stops })}</span>
        ) : null}
        <IconButton
          small
          label={t('previous')}
          kbd={`${t('shell:keyNames.Shift')} N`}
          icon={<ArrowUp />}
          disabled={stops === 0}
          onClick={() => step(-1)}
        />
        <IconButton
          small
          label={t('next')}
          kbd="n"
          icon={<ArrowDown />}
          disabled={stops === 0}
          onClick={() => step(1)}
        />
        <SegmentedControl<DiffLayout>
          label={t('layout')}
          value={shown}
          onChange={(next) => {
            remember('diff-layout', next)
            setShown(next)
          }}
          segments={[
            { value: 'side-by-side', label: t('layouts.side-by-side') },
            { value: 'inline', label: t('layouts.inline') },
          ]}
        />
      </div>
      <IgnoredBar ignored={ignored} onChange={setIgnored} />
      <DiffTree
        root={diff.root}
        layout={shown}
        asked={asked}
        onStop={onStop}
        onIgnore={(pointer) => setIgnored([...ignored, anyElement(pointer)])}
      />
      <Pairing diff={diff} />
    </>
  )
}

/** What is passed over in one line of a document is passed over in all. */
const anyElement = (pointer: string): string => pointer.replace(/\/\d+(?=\/)/g, '/*')

function Pairing({ diff }: { readonly diff: Diff }): ReactNode {
  const { t } = useTranslation('diff')
  const by = [...diff.pairedBy].filter(([, name]) => name !== null).slice(0, 4)
  if (by.length === 0) return null
  return (
    <p className="text-fg-2 text-s">
      {by.map(([pointer, name]) => t('pairedBy', { list: pointer || '/', name })).join(' · ')}
    </p>
  )
}

/** Where the structure cannot be compared: line by line, saying why. */
function Text({ text }: { readonly text: TextDiff }) {
  const { t } = useTranslation('diff')
  const { because } = text
  const why = because.reason === 'not-json' ? (`not-json.${because.side}` as const) : because.reason
  return (
    <>
      <p className="text-fg-2 text-s">
        {t(`because.${why}`, { limit: 'limit' in because ? because.limit : 0 })}
      </p>
      <LineDiff {...text} />
    </>
  )
}
