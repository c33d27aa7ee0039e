import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { type ReactNode, useCallback, useState } from 'react'
import type { DeliveryDetail } from '#contract/delivery.ts'
import { type Diff, VOLATILE } from '#core/diff/types.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Dialog } from '@/shared/components/dialog.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { TabPanel, Tabs } from '@/shared/components/tabs.tsx'
import { GroupDot, Tag, VerdictMark } from '@/shared/components/tag.tsx'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import { useTexts } from '@/shared/i18n/format.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { type ComparedPair, useCompare } from '@/shared/live/layers.ts'
import { remember, remembered } from '@/shared/live/remembered.ts'
import { askOnce } from '@/shared/platform/worker.ts'
import { type DiffLayout, LAYOUTS } from './diff-rows.ts'
import { DiffTree } from './diff-tree.tsx'
import { HeaderDiff, LineDiff } from './diff-view.tsx'
import type { Comparison, DiffRequest, TextDiff } from './diff-worker.ts'
import { diffHeaders } from './diffs.ts'

interface Ignoring {
  readonly ignored: readonly string[]
  readonly setIgnored: (ignored: readonly string[]) => void
}

function IgnoredBar({ ignored, setIgnored }: Ignoring) {
  const { t } = useTexts('diff')
  if (ignored.length === 0) return null
  return (
    <div className="flex flex-wrap items-center gap-6 text-fg-2 text-s [&_svg]:size-11">
      <span>{t('ignoring')}</span>
      {ignored.map((pointer) => (
        <button
          key={pointer}
          type="button"
          className={cx(
            'inline-flex items-center gap-3 px-6 py-1 border border-line rounded-10 bg-sunken text-fg-2',
            'code-xs leading-16 cursor-pointer',
            'hover:border-line-strong hover:text-fg',
          )}
          aria-label={t('stopIgnoring', { pointer })}
          title={t('stopIgnoring', { pointer })}
          onClick={() => setIgnored(ignored.filter((one) => one !== pointer))}
        >
          <Captured text={pointer} mono most={80} />
          <X aria-hidden="true" />
        </button>
      ))}
    </div>
  )
}

export function DiffLayer() {
  const pair = useCompare((s) => s.pair)
  return pair ? <Compare key={`${pair.left} ${pair.right}`} pair={pair} /> : null
}

/** As wide as what it says: two deliveries side by side, or the sentence that there are none. */
function Compare({ pair }: { readonly pair: ComparedPair }) {
  const { t } = useTexts('diff')
  const close = useCompare((s) => s.close)
  const [ignored, setIgnored] = useState<readonly string[]>(VOLATILE)
  const used = useComparison(pair, ignored)
  const both = used.loaded?.state === 'loaded' && used.refusal === null
  return (
    <Dialog onClose={close} title={t('title')} width={both ? 1_560 : 480}>
      <Outcome {...used} {...{ ignored, setIgnored }} />
    </Dialog>
  )
}

function Outcome({ loaded, comparison, refusal, ...ignoring }: UsedComparison & Ignoring) {
  const refusalText = useRefusalText()
  if (refusal) return <Banner tone="error">{refusalText(refusal)}</Banner>
  if (loaded && loaded.state !== 'loaded') return <Unable loaded={loaded} />
  if (!loaded || !comparison) return <Loading className="h-80" />
  return <Both {...loaded} {...ignoring} comparison={comparison} />
}

function Unable({ loaded }: { readonly loaded: Exclude<Loaded, { state: 'loaded' }> }) {
  const { t, format } = useTexts('diff')
  const limit = loaded.state === 'too-large' ? format.bytes(loaded.limit) : ''
  return <Banner tone="info">{t(`unable.${loaded.state}`, { limit })}</Banner>
}

type Part = 'body' | 'headers'

interface BothProps extends Ignoring {
  readonly left: Compared
  readonly right: Compared
  readonly comparison: Comparison
}

function Both({ left, right, comparison, ...ignoring }: BothProps) {
  const { t } = useTexts('diff')
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
        className="flex-1 min-h-0"
        value={part}
        onChange={setPart}
        items={[
          { value: 'body', label: t('part.body') },
          { value: 'headers', label: t('part.headers'), count: headers },
        ]}
      >
        <TabPanel value="body" className="flex flex-col gap-8 min-h-0 pt-10">
          {'diff' in comparison ? (
            <Structure diff={comparison.diff} {...ignoring} />
          ) : (
            <Text text={comparison.text} />
          )}
        </TabPanel>
        <TabPanel value="headers" className="min-h-0 overflow-auto pt-10">
          <HeaderDiff left={left.detail.headers} right={right.detail.headers} names={names} />
        </TabPanel>
      </Tabs>
    </div>
  )
}

const COUNTED = ['changed', 'added', 'removed', 'moved', 'rewritten', 'ignored'] as const
const readLayout = (stored: unknown): DiffLayout | undefined => LAYOUTS.find((one) => one === stored)

function Structure({ diff, ignored, setIgnored }: Ignoring & { readonly diff: Diff }) {
  const { t } = useTexts(['diff', 'shell'])
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
          segments={LAYOUTS.map((value) => ({ value, label: t(`layouts.${value}`) }))}
        />
      </div>
      <IgnoredBar {...{ ignored, setIgnored }} />
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
  const { t } = useTexts('diff')
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
  const { t } = useTexts('diff')
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

function SideFacts({ side: { detail, problem } }: { readonly side: Compared }) {
  const { t, format } = useTexts(['diff', 'common'])
  return (
    <div className="flex flex-wrap items-center gap-x-8 gap-y-4 min-w-0 px-10 py-6 border border-line rounded bg-bg text-s">
      <button
        type="button"
        className="p-0 border-0 bg-transparent text-accent-text cursor-pointer hover:underline"
        title={t('open', { id: detail.id })}
        onClick={() => {
          useCompare.getState().close()
          void openDelivery(detail.id, null)
        }}
      >
        #{detail.id}
      </button>
      <GroupDot group={detail.group} />
      <span className="font-semibold">
        <Captured text={detail.kind ?? detail.event ?? `${detail.method} ${detail.url}`} most={120} />
      </span>
      <VerdictMark verdict={detail.verdict} signOnly />
      {detail.marks.includes('synthetic') ? <Tag tone="synthetic">{t('common:mark.synthetic')}</Tag> : null}
      <span className="text-fg-2">{format.instant(detail.receivedAt)}</span>
      {detail.number ? (
        <span className="text-fg-2">
          <Captured text={detail.number} mono most={60} />
        </span>
      ) : null}
      {problem ? <Tag tone="warning">{t('notDecoded', { problem })}</Tag> : null}
    </div>
  )
}

/** The bytes are compared again when what is ignored changes, so they must not be handed over themselves. */
const copyOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer

function compareBodies(
  left: Uint8Array,
  right: Uint8Array,
  ignored: readonly string[],
  signal: AbortSignal,
): Promise<Comparison> {
  const worker = new Worker(new URL('./diff-worker.ts', import.meta.url), { type: 'module', name: 'diff' })
  const question: DiffRequest = { left: copyOf(left), right: copyOf(right), ignored }
  return askOnce(worker, question, signal, [question.left, question.right])
}

/** Reads two deliveries and compares their bodies; again when what is ignored changes. The last comparison stays meanwhile. */
function useComparison(pair: ComparedPair, ignored: readonly string[]) {
  const key = `${pair.left} ${pair.right}`
  const { data: loaded, refusal: unread } = useAnswer(key, (signal) => loadPair(pair, signal))
  const both = loaded?.state === 'loaded' ? loaded : null
  const { data: comparison, refusal } = useAnswer(
    both && key,
    async (signal) => both && compareBodies(both.left.body, both.right.body, ignored, signal),
    ignored,
  )
  return { loaded, comparison, refusal: unread ?? refusal }
}
type UsedComparison = ReturnType<typeof useComparison>

interface Compared {
  readonly detail: DeliveryDetail
  readonly body: Uint8Array
  /** Why the body could not be decoded, in the host's words: then it is compared as it came. */
  readonly problem: string | null
}
type Loaded =
  | { readonly state: 'loaded'; readonly left: Compared; readonly right: Compared }
  /** The right one is the first of its document, or names none: there is nothing before it. */
  | { readonly state: 'first' | 'no-document' }
  | { readonly state: 'too-large'; readonly limit: number }

/** Bytes of a body that are compared; the window holds both sides and their structure. */
const COMPARED_BYTES = 32 * 1024 * 1024
const SLICE = 1024 * 1024

async function loadPair(pair: ComparedPair, signal: AbortSignal): Promise<Loaded> {
  const right = await api.call('deliveries.get', { id: pair.right })
  let { left } = pair
  if (left === 'previous') {
    if (right.documentId === null) return { state: 'no-document' }
    const before = await previousOf(right)
    if (before === undefined) return { state: 'first' }
    left = before
  }
  const other = await api.call('deliveries.get', { id: left })
  if (Math.max(right.size, other.size) > COMPARED_BYTES) return { state: 'too-large', limit: COMPARED_BYTES }
  const [a, b] = [await compared(other, signal), await compared(right, signal)]
  if (!a || !b) return { state: 'too-large', limit: COMPARED_BYTES }
  return { state: 'loaded', left: a, right: b }
}

/** The delivery before this one among those of its document that were let in. */
async function previousOf({ id, documentId }: DeliveryDetail): Promise<number | undefined> {
  const filter = `doc:"${(documentId ?? '').replaceAll('"', '')}" -is:rejected`
  const { rows } = await api.call('deliveries.scan', { filter, after: id, limit: 1, newest: true })
  return rows[0]?.id
}

async function compared(detail: DeliveryDetail, signal: AbortSignal): Promise<Compared | undefined> {
  const decoded = await bytesOf(detail.id, 'decoded', signal)
  if (decoded === undefined || decoded.problem === null) return decoded && { detail, ...decoded }
  const raw = await bytesOf(detail.id, 'raw', signal)
  return raw && { detail, body: raw.body, problem: decoded.problem }
}

async function bytesOf(
  id: number,
  view: 'raw' | 'decoded',
  signal: AbortSignal,
): Promise<{ readonly body: Uint8Array; readonly problem: string | null } | undefined> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let received = 0
  for (;;) {
    const slice = await api.call('deliveries.body', { id, view, from: received, length: SLICE })
    signal.throwIfAborted()
    if (slice.total > COMPARED_BYTES) return undefined
    if (slice.problem !== null) return { body: new Uint8Array(), problem: slice.problem }
    const piece = Uint8Array.from(atob(slice.bytesBase64), (c) => c.charCodeAt(0))
    pieces.push(piece)
    received += piece.length
    if (received >= slice.total || piece.length === 0) break
  }
  return { body: new Uint8Array(await new Blob(pieces).arrayBuffer()), problem: null }
}
