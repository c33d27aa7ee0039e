import { ArrowDownToLine, Clipboard, FoldVertical, Search, UnfoldVertical } from 'lucide-react'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Finding } from '#contract/delivery.ts'
import { isKeyOf, MOD, pressedKey } from '@/shared/actions/action.ts'
import { openMenu } from '@/shared/actions/context.ts'
import { useKeyHint } from '@/shared/components/action-keys.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { FindingNotes } from '@/shared/components/finding-note.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { useVirtualRows } from '@/shared/components/use-virtual-rows.ts'
import { useWidth } from '@/shared/components/use-width.ts'
import { DELIVERY, rawBody } from '@/shared/deliveries/actions.ts'
import { termOf, valueActions } from '@/shared/deliveries/value-actions.ts'
import { useTexts } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { BODY_ROW, BodyRows, useBodyRows, useMarks } from './body-rows.tsx'
import { FindBar, GoToBar, useFind } from './find-bar.tsx'
import { type BodyHandle, type BodyResult, isComplete, type OpenBody } from './open-body.ts'
import type { BodyView, Place } from './protocol.ts'

/** Counting lines up to a place reads the body: not on every step of a held arrow key. */
const PAUSE_MS = 60

/** Pointer and place of a line of the pretty view; null for the other views and while unknown. */
function usePlace(handle: BodyHandle, view: BodyView, line: number | undefined): BodyResult<'pointer'> {
  const [place, setPlace] = useState<BodyResult<'pointer'>>(null)
  useEffect(() => {
    if (view !== 'pretty' || line === undefined) {
      setPlace(null)
      return
    }
    let current = true
    const timer = setTimeout(() => {
      handle.call('pointer', { line }).then(
        (found) => current && setPlace(found),
        () => undefined,
      )
    }, PAUSE_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [handle, view, line])
  return place
}

/** A place to show, and which asking it is: the same place can be asked for twice. */
export interface Target {
  readonly place: Place
  readonly asked: number
}
export interface RawViewProps {
  readonly body: OpenBody
  /** The view chosen by hand, kept from body to body; null: what suits the body. */
  readonly chosen: BodyView | null
  readonly onChoose: (view: BodyView) => void
  readonly target?: Target | null
  /** Rises when the search is asked for from outside. */
  readonly findAsked?: number
  readonly tools?: ReactNode
  /** What the checks found in it, which stands in the gutter. */
  readonly findings?: readonly Finding[]
}

const NO_FINDINGS: readonly Finding[] = []

const suits = (body: OpenBody): BodyView =>
  body.summary.nature === 'json' ? 'pretty' : body.summary.nature === 'binary' ? 'hex' : 'text'

export function RawView(props: RawViewProps) {
  const { body, chosen, onChoose, target = null, findAsked = 0, tools, findings = NO_FINDINGS } = props
  const { t, format } = useTexts('detail')
  const { handle, summary } = body
  const readable = summary.nature === 'json'
  const view = chosen === 'pretty' && !readable ? suits(body) : (chosen ?? suits(body))
  const frame = useRef<HTMLDivElement>(null)
  const bytesPerRow = useWidth(frame) >= 640 ? 16 : 8
  const unfolded = view === 'hex' ? Math.ceil(summary.bytes / bytesPerRow) : summary.rows[view]
  const rows = useBodyRows(handle, view, bytesPerRow, unfolded)
  const marks = useMarks(handle, view, findings)
  const virtual = useVirtualRows({ count: rows.total, rowPx: BODY_ROW, beyond: 20 })
  const [cursor, setCursor] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view has other rows
  useEffect(() => setCursor(0), [handle, view])

  const show = (row: number, total: number) => {
    rows.redraw(total)
    setCursor(row)
    // The scroller must have grown to the new number of rows before it can go there.
    requestAnimationFrame(() => virtual.reveal(row, 'center'))
  }
  const goTo = (place: Place) =>
    void handle
      .call('locate', { place, view, bytesPerRow })
      .then(({ row, total }) => show(row, total))
      // The body was closed meanwhile.
      .catch(() => undefined)
  const [asking, setAsking] = useState(false)
  rawBody.useShown({ askPlace: () => setAsking(true) })
  const hint = useKeyHint()
  const find = useFind(handle, view, bytesPerRow, show, () => rows.redraw())
  // Before the next key: what is typed at once after Ctrl+F is the beginning of what is looked for.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new asking opens the search
  useLayoutEffect(() => {
    if (findAsked > 0) find.ask()
  }, [findAsked])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new target, or more of the body, moves the view
  useEffect(() => {
    if (target) goTo(target.place)
  }, [target, handle])

  const fold = (line: number, folded: boolean) =>
    void handle.call('fold', { line, folded }).then(({ total }) => rows.redraw(total))
  const foldAll = (depth: number | null) =>
    void handle.call('foldAll', { depth }).then(({ total }) => {
      rows.redraw(total)
      setCursor(0)
    })
  const line = rows.at(cursor)?.at
  const place = usePlace(handle, view, line)
  const pointed = rows.at(cursor)
  const atCursor = pointed ? marks(pointed) : NO_FINDINGS
  // `place` can still be that of the previous line, so copies ask.
  const pointerText = async () =>
    line === undefined ? '' : ((await handle.call('pointer', { line }))?.pointer ?? '')
  const valueText = async () =>
    line === undefined ? '' : ((await handle.call('value', { line }))?.text ?? '')
  const askAt = (event: MouseEvent, row: number) => {
    const at = rows.at(row)?.at
    if (view !== 'pretty' || at === undefined) return
    openMenu(event, async () => {
      const [found, value] = await Promise.all([
        handle.call('pointer', { line: at }),
        handle.call('value', { line: at }),
      ])
      if (!found) return []
      const { pointer } = found
      return [valueActions({ pointer, text: value?.text, term: value && termOf(pointer, value) })]
    })
    setCursor(row)
  }
  const leave = (close: () => void) => {
    close()
    frame.current?.querySelector<HTMLElement>('[role="tree"]')?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const key = pressedKey(event)
    const inRows = event.target instanceof Element && event.target.getAttribute('role') === 'tree'
    if (isKeyOf(DELIVERY.goToPlace, key)) setAsking(true)
    // What is marked with the mouse is copied as ever.
    else if (key === `${MOD} C` && inRows && place && getSelection()?.isCollapsed !== false)
      void valueText().then(api.copy)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of everything inside; it is no control itself
    <div
      ref={frame}
      role="presentation"
      className="flex flex-1 flex-col min-w-0 min-h-0"
      onKeyDown={onKeyDown}
    >
      <div
        role="toolbar"
        aria-label={t('raw.tools')}
        className="flex flex-none flex-wrap items-center gap-4 pt-6 pr-8 pb-6 pl-14 empty:hidden"
      >
        <SegmentedControl<BodyView>
          label={t('raw.view')}
          value={view}
          onChange={onChoose}
          segments={[
            ...(readable ? [{ value: 'pretty' as const, label: t('raw.pretty') }] : []),
            { value: 'text', label: t('raw.text') },
            { value: 'hex', label: t('raw.hex') },
          ]}
        />
        {tools}
        <span className="flex-1" />
        {view === 'pretty' ? (
          <>
            <IconButton label={t('raw.foldAll')} icon={<FoldVertical />} onClick={() => foldAll(2)} />
            <IconButton label={t('raw.unfoldAll')} icon={<UnfoldVertical />} onClick={() => foldAll(null)} />
          </>
        ) : null}
        <IconButton
          label={t('find.open')}
          kbd={`${MOD} F`}
          icon={<Search />}
          pressed={find.open}
          onClick={find.ask}
        />
        <IconButton
          label={t('goTo.open')}
          kbd={hint(DELIVERY.goToPlace)}
          icon={<ArrowDownToLine />}
          pressed={asking}
          onClick={() => setAsking(!asking)}
        />
        <CopyButton
          label={t(isComplete(body) ? 'raw.copy' : 'raw.copyBeginning')}
          text={async () => (await handle.call('text', { view })).text}
        />
      </div>
      {find.open ? <FindBar find={{ ...find, close: () => leave(find.close) }} /> : null}
      {asking ? <GoToBar view={view} onGo={goTo} onClose={() => leave(() => setAsking(false))} /> : null}
      {summary.brokenAt && view === 'pretty' ? (
        <p className="flex-none px-14 py-5 border-t border-line bg-unreadable-weak text-unreadable text-s">
          {t('raw.broken', summary.brokenAt)}
        </p>
      ) : null}
      {(view === 'pretty' && summary.limited.pretty) || (view === 'text' && summary.limited.text) ? (
        <p className="flex-none border-t border-line text-s bg-noted-weak text-fg px-14 py-5">
          {t('raw.limited', { count: unfolded, rows: format.number(unfolded) })}
        </p>
      ) : null}
      <BodyRows
        {...{ view, rows, virtual, cursor }}
        onCursor={setCursor}
        onFold={fold}
        onMenu={askAt}
        marks={marks}
      />
      <FindingNotes
        className="flex-none max-h-[30%] px-8 pt-4 overflow-y-auto border-t border-line"
        findings={atCursor}
      />
      <div className="flex flex-none items-center gap-8 h-26 pr-6 pl-14 border-t border-line text-fg-3 code-xs leading-none">
        {place ? (
          <>
            <span className="flex-1 text-fg-2 truncate [&_bdi]:whitespace-pre">
              <Captured text={place.pointer === '' ? t('raw.root') : place.pointer} most={300} />
            </span>
            <span className="tabular-nums">
              {format.number(place.line)}:{format.number(place.column)}
            </span>
            <CopyButton small text={pointerText} label={t('checks.copyPointer')} />
            <CopyButton small icon={<Clipboard />} text={valueText} label={t('raw.copyValue')} />
          </>
        ) : (
          <span className="flex-1 text-fg-2 truncate [&_bdi]:whitespace-pre">{format.bytes(body.total)}</span>
        )}
      </div>
    </div>
  )
}
