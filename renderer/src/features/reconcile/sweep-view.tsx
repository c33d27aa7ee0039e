import { CircleCheck, CircleHelp, Download, FileText, RefreshCw, Search } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connection } from '#contract/connection.ts'
import type { DocumentClass, ReconciliationSummary, Sweep } from '#contract/reconcile.ts'
import type { DocumentSelection } from '#contract/reconcile-commands.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Dialog } from '@/shared/components/dialog.tsx'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { Unread } from '@/shared/components/refused.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { Checkbox } from '@/shared/components/toggle.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { useAnswer, useGathered } from '@/shared/live/answer.ts'
import { api, host } from '@/shared/live/api.ts'
import { useExporting } from '@/shared/live/layers.ts'
import { DayChart } from './day-chart.tsx'
import { AnnotateDialog, type Annotating, DocumentPane } from './document-pane.tsx'
import { RecoveryDialog } from './recovery-dialog.tsx'
import { ReportDialog } from './report-dialog.tsx'
import { DIFFERENCES, MISSED_CLASSES, SHOWN_CLASSES } from './row-words.ts'
import { StreamsGrid, useFound, useRows } from './streams-grid.tsx'
import { ClassCards, NotReached, StakeBar } from './summary.tsx'
import { SweepState } from './sweep-state.tsx'

/** Debounce: a burst causes one comparison, and the user needs no refresh button. */
const SOON_MS = 1_500
/** Pause between comparisons, as a multiple of the last one's duration, to limit the host's load. */
const REST = 10

/** Calls `tell` when deliveries arrived or attempts ended. */
const changes = (tell: () => void) =>
  host().onPush(({ push, payload }) => {
    if (push === 'deliveries.changed' || push === 'store.reset') tell()
    else if (push === 'replays.changed' && (payload.deliveries.length > 0 || payload.more)) tell()
  })

function useSummary({ id, state }: Sweep, beat: number, again: () => void) {
  const done = state !== 'running'
  const ask = async () => {
    const [asOf, began] = [Date.now(), performance.now()]
    const summary = await api.call('reconciliation.summary', { sweep: id })
    return { summary, asOf, tookMs: performance.now() - began }
  }
  const { data, refusal, renewing } = useAnswer(done ? String(id) : null, ask, `${beat} ${state}`)
  const wait = () => Math.max(SOON_MS, (data?.tookMs ?? 0) * REST)
  useGathered(changes, wait, () => data && again())
  return { summary: data?.summary, asOf: data?.asOf ?? 0, refusal, renewing }
}

export interface SweepViewProps {
  readonly sweep: Sweep
  /** Null after the connection was removed. */
  readonly connection: Connection | null
}

export function SweepView({ sweep, connection }: SweepViewProps) {
  const { t } = useTranslation(['reconcile', 'common'])
  const [beat, setBeat] = useState(0)
  const again = useCallback(() => setBeat((now) => now + 1), [])
  const done = sweep.state !== 'running'
  const { summary, refusal, asOf, renewing } = useSummary(sweep, beat, again)
  return (
    <>
      <SweepState sweep={sweep} />
      <Unread refusal={refusal} onRetry={again} />
      {done && sweep.state !== 'complete' && sweep.pages === 0 ? (
        <EmptyState title={t('sweep.unread')}>{t('sweep.unreadText')}</EmptyState>
      ) : summary ? (
        <Compared
          key={`${sweep.id}/${sweep.state}`}
          {...{ summary, asOf, renewing, sweep, connection, beat, again }}
        />
      ) : done && !refusal ? (
        <Loading />
      ) : refusal ? null : (
        <EmptyState title={t('sweep.waiting')}>{t('sweep.waitingText')}</EmptyState>
      )}
    </>
  )
}

interface ComparedProps extends SweepViewProps {
  readonly summary: ReconciliationSummary
  readonly asOf: number
  readonly renewing: boolean
  readonly beat: number
  readonly again: () => void
}

function Compared({ summary, sweep, connection, beat, asOf, renewing, again }: ComparedProps) {
  const { t } = useTranslation(['reconcile', 'common'])
  const refusalText = useRefusalText()
  const [classes, setClasses] = useState<readonly DocumentClass[]>([])
  const [everything, setEverything] = useState(() => !DIFFERENCES.some((name) => summary.counts[name] > 0))
  const [text, setText] = useState('')
  const [open, setOpen] = useState<string | null>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [rebuilding, setRebuilding] = useState<DocumentSelection | null>(null)
  const [annotating, setAnnotating] = useState<Annotating | null>(null)
  const zone = connection?.zone ?? 'UTC'
  const [asked, setAsked] = useState<'limits' | 'report' | null>(null)
  const grid = useRef<HTMLDivElement>(null)
  const pane = useRef<HTMLElement>(null)
  const shown = classes.length > 0 ? classes : everything ? [] : DIFFERENCES
  const others = shown.length === 0 ? [] : SHOWN_CLASSES.filter((name) => !shown.includes(name))
  const hidden = useFound(sweep.id, others, text, beat)
  const rows = useRows(sweep.id, shown, text, beat)
  // An open document stays open while the filter hides its row; the selection does not.
  // biome-ignore lint/correctness/useExhaustiveDependencies: any change of the filter clears the selection
  useEffect(() => setChosen(new Set()), [classes, everything, text])
  const close = () => {
    setOpen(null)
    grid.current?.focus({ preventScroll: true })
  }
  // The footer, its button and the dialog all use this set.
  const missed = MISSED_CLASSES.filter((name) =>
    classes.length > 0 ? classes.includes(name) : name !== 'not-yet-due',
  )
  const select: DocumentSelection =
    chosen.size > 0 ? { documents: [...chosen] } : { classes: missed, ...(text !== '' && { text }) }
  const { counts } = summary
  // All documents of the selected class were recovered: show them instead of an empty list.
  const healed =
    text === '' &&
    counts.recovered > 0 &&
    classes.length > 0 &&
    classes.every((name) => counts[name] === 0 && (name === 'missing' || name === 'differs'))
  const rebuild = (documents: readonly string[]) => setRebuilding({ documents })
  const ignore = (keys: readonly string[]) =>
    setAnnotating({ what: 'ignored', keys, present: null, number: '' })
  const showAll = (all: boolean) => {
    setClasses([])
    setEverything(all)
  }
  return (
    // In a low window the list keeps some height, and the screen scrolls.
    <div className="grid grid-rows-[auto_auto_1fr_auto] grid-cols-1 min-w-0">
      <div
        className={cx(
          'flex flex-wrap items-stretch gap-x-14 gap-y-10 px-12 py-10 border-b border-line bg-bg',
          // In a low window an open document replaces the counts, because its fields have no other room.
          open !== null && '[@media(max-height:720px)]:hidden',
        )}
      >
        <ClassCards
          counts={summary.counts}
          notReached={summary.notReached}
          classes={classes}
          onChange={setClasses}
        />
        <DayChart days={summary.days} zone={zone} connection={sweep.connection} onFind={setText} />
        <NotReached summary={summary} zone={zone} />
      </div>
      <GridBar
        {...{ classes, everything, text, asOf, renewing }}
        total={rows.total}
        hidden={hidden ?? 0}
        onText={setText}
        onEverything={showAll}
        onAgain={again}
        onLimits={() => setAsked('limits')}
        onReport={() => setAsked('report')}
        onExport={() => useExporting.getState().open({ type: 'sweep', sweep: sweep.id })}
      />
      <div
        className={cx(
          'grid grid-cols-1 min-w-0 [contain:size]',
          open === null
            ? 'grid-rows-[minmax(0,1fr)] min-h-160'
            : 'grid-rows-[minmax(90px,0.8fr)_minmax(190px,1fr)] min-h-280',
        )}
      >
        {rows.refusal ? (
          <Banner tone="error">{refusalText(rows.refusal)}</Banner>
        ) : healed ? (
          <EmptyState
            icon={<CircleCheck />}
            title={t('grid.healed', { count: counts.recovered })}
            actions={
              <>
                <Button variant="primary" onClick={() => setClasses(['recovered'])}>
                  {t('grid.showRecovered')}
                </Button>
                <Button onClick={() => showAll(false)}>{t('grid.showDifferences')}</Button>
              </>
            }
          />
        ) : (
          <StreamsGrid
            ref={grid}
            {...{ rows, zone, open, chosen }}
            route={sweep.range.route}
            filtered={shown.length > 0 || text !== ''}
            onOpen={setOpen}
            onClose={() => setOpen(null)}
            onChoose={setChosen}
            onEnter={() => pane.current?.focus()}
            onRebuild={rebuild}
            onIgnore={ignore}
            onFind={setText}
          />
        )}
        {open === null ? null : (
          <DocumentPane
            ref={pane}
            sweep={sweep}
            documentKey={open}
            beat={beat}
            onClose={close}
            onRebuild={(key) => rebuild([key])}
            onAnnotate={setAnnotating}
          />
        )}
      </div>
      <StakeBar
        {...{ summary, zone, text, beat }}
        chosen={chosen.size}
        classes={missed}
        onLetGo={() => setChosen(new Set())}
        onIgnore={() => ignore([...chosen])}
        onRebuild={() => setRebuilding(select)}
      />
      {rebuilding ? (
        <RecoveryDialog
          sweep={sweep.id}
          select={rebuilding}
          onDone={again}
          onClose={() => setRebuilding(null)}
        />
      ) : null}
      {annotating ? (
        <AnnotateDialog
          connection={sweep.connection}
          annotating={annotating}
          onDone={again}
          onClose={() => setAnnotating(null)}
        />
      ) : null}
      {asked === 'limits' ? <LimitsDialog onClose={() => setAsked(null)} /> : null}
      {asked === 'report' ? <ReportDialog summary={summary} onClose={() => setAsked(null)} /> : null}
      <p className="visually-hidden" aria-live="polite">
        {rows.total === null ? '' : t('grid.count', { count: rows.total })}
      </p>
    </div>
  )
}

interface GridBarProps {
  /** Null until the first answer. */
  readonly total: number | null
  readonly classes: readonly DocumentClass[]
  readonly everything: boolean
  readonly text: string
  /** Number of matching documents in hidden classes. */
  readonly hidden: number
  /** Milliseconds since the epoch. */
  readonly asOf: number
  readonly renewing: boolean
  readonly onText: (text: string) => void
  readonly onEverything: (everything: boolean) => void
  readonly onAgain: () => void
  readonly onLimits: () => void
  readonly onReport: () => void
  readonly onExport: () => void
}

function GridBar(props: GridBarProps) {
  const { total, classes, everything, text, hidden, asOf, renewing } = props
  const { onText, onEverything, onAgain, onLimits, onReport, onExport } = props
  const { t } = useTranslation(['reconcile', 'stream'])
  const format = useFormat()
  return (
    <div className="flex flex-wrap items-center gap-x-10 gap-y-4 px-12 py-5 border-b border-line bg-panel">
      <TextField
        label={t('grid.find')}
        hideLabel
        type="search"
        className="w-260 max-[1100px]:w-230"
        leading={<Search aria-hidden="true" />}
        placeholder={t('grid.findHint')}
        value={text}
        onChange={onText}
      />
      <span className="text-fg-2 text-s tabular-nums whitespace-nowrap">
        {total === null ? '' : t('grid.count', { count: total })}
      </span>
      {hidden > 0 ? (
        <Button small onClick={() => onEverything(true)}>
          {t('grid.hidden', { count: hidden })}
        </Button>
      ) : null}
      {classes.length > 0 ? (
        <Button small variant="quiet" onClick={() => onEverything(true)}>
          {t('grid.all')}
        </Button>
      ) : (
        <Checkbox
          label={t('grid.differences')}
          checked={!everything}
          onChange={(only) => onEverything(!only)}
        />
      )}
      <span className="text-fg-3 text-xs max-[1100px]:hidden">{t('grid.keys')}</span>
      <span className="flex-1" />
      <span className="text-fg-2 text-s tabular-nums whitespace-nowrap" title={t('summary.asOfHint')}>
        {renewing
          ? t('summary.renewing')
          : t('summary.asOf', { when: format.clock(asOf * 1_000).slice(0, 8) })}
      </span>
      <IconButton small label={t('summary.again')} icon={<RefreshCw />} onClick={onAgain} />
      <Button small variant="quiet" icon={<CircleHelp />} onClick={onLimits}>
        {t('grid.limits')}
      </Button>
      <Button small icon={<Download />} onClick={onExport}>
        {t('stream:chosen.export')}
      </Button>
      <Button small icon={<FileText />} onClick={onReport}>
        {t('report.open')}
      </Button>
    </div>
  )
}

/** Explains what a comparison with the sync routes cannot detect. */
function LimitsDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['reconcile', 'common'])
  return (
    <Dialog
      onClose={onClose}
      title={t('limits.title')}
      footer={<Button onClick={onClose}>{t('common:close')}</Button>}
    >
      <ul className="grid text-fg-2 text-s leading-[1.5] gap-10 [&_li]:pl-14 [&_li]:border-l-2 [&_li]:border-line-strong">
        {(['superseded', 'kinds', 'treasury', 'updates', 'rules', 'dates', 'deleted'] as const).map(
          (limit) => (
            <li key={limit}>{t(`limits.${limit}`)}</li>
          ),
        )}
      </ul>
    </Dialog>
  )
}
