import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Refusal } from '#contract/errors.ts'
import type { ExportSource, OpenExport } from '#contract/transfer.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Dialog } from '@/shared/components/dialog.tsx'
import { Progress } from '@/shared/components/progress.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { subject } from '@/shared/deliveries/acts.ts'
import { api, host } from '@/shared/live/api.ts'
import { type Exported, useExporting } from '@/shared/live/layers.ts'
import { aloneId, useRoute } from '@/shared/live/route.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { beginFile, type Draft } from '@/shared/platform/save.ts'
import {
  COVERED,
  type ExportDraft,
  FIRST_DRAFT,
  FormatPart,
  MaskingPart,
  OptionsPart,
  paramsOf,
  usePreview,
} from './export-formats.tsx'

interface Choice {
  readonly value: 'ids' | 'one' | 'filter' | 'all' | 'document' | 'given'
  readonly source: ExportSource
}

/** What can be exported, from the state when the dialog opened; the first is the default. */
function choicesOf(of: Exported): readonly Choice[] {
  if (typeof of === 'object') return [{ value: 'given', source: of }]
  const { ids, delivery, documentId, everything, filter } = subject()
  const one: Choice[] = [
    ...(delivery === null ? [] : [{ value: 'one', source: { type: 'ids', ids: [delivery] } } as const]),
    ...(documentId === null
      ? []
      : [{ value: 'document', source: { type: 'document', documentId } } as const]),
  ]
  if (aloneId(useRoute.getState()) !== null) return one
  const all: Choice[] = [
    ...(filter?.text ? [{ value: 'filter', source: { type: 'filter', filter: filter.text } } as const] : []),
    { value: 'all', source: { type: 'filter', filter: '' } },
  ]
  if (ids.length > 0 && !everything) return [{ value: 'ids', source: { type: 'ids', ids } }, ...all]
  return of === 'row' && !everything ? [...one, ...all] : [...all, ...one]
}

/** Exports deliveries to a file, masked unless the user decides otherwise. */
export function ExportDialog({ of }: { readonly of: Exported }) {
  const { t } = useTranslation(['exports', 'common'])
  const { close } = useExporting.getState()
  const [choices] = useState(() => choicesOf(of))
  const [value, setValue] = useState(choices[0]?.value)
  const [draft, setDraft] = useState(FIRST_DRAFT)
  const [covered, setCovered] = useState(COVERED)
  const { run, start, cancel } = useExportRun()
  const source = choices.find((choice) => choice.value === value)?.source ?? { type: 'filter', filter: '' }
  const masking = { source, reveal: !covered.credential, unmask: !covered.personal }
  const preview = usePreview(masking)
  const count = preview.data?.deliveries
  const given = paramsOf(draft)
  const asking = run.state === 'asking'
  const ready = given !== null && count !== 0
  const onChange = (change: Partial<ExportDraft>) => setDraft((now) => ({ ...now, ...change }))
  const labelOf = ({ value: name, source: one }: Choice): string => {
    if (one.type === 'job') return t('source.job', { id: one.job })
    if (one.type === 'sweep') return t('source.sweep', { id: one.sweep })
    if (one.type === 'document')
      return name === 'given' ? t('source.life', { id: one.documentId }) : t('source.document')
    if (one.type === 'filter') return t(one.filter === '' ? 'source.all' : 'source.filter')
    return name === 'ids'
      ? t('source.ids', { count: one.ids.length })
      : t('source.one', { id: one.ids[0] ?? 0 })
  }
  return (
    <Dialog
      onClose={close}
      width={880}
      title={t('title')}
      onSubmit={() => {
        if (asking && !run.busy && ready) void start({ ...masking, ...given })
      }}
      footer={
        run.state === 'done' ? (
          <Button variant="primary" onClick={close}>
            {t('common:close')}
          </Button>
        ) : (
          <>
            <Button onClick={asking ? close : cancel}>{t('common:cancel')}</Button>
            <Button
              type="submit"
              variant="primary"
              icon={<Download />}
              busy={!asking || run.busy}
              disabled={!ready}
            >
              {t('export')}
            </Button>
          </>
        )
      }
    >
      {run.state === 'asking' ? (
        <div className="grid grid-cols-1 gap-14 [&>[data-refused]]:mt-0">
          <Refused refusal={run.refusal} />
          {run.cancelled ? (
            <p role="status" className="text-fg-2 text-s">
              {t('cancelled')}
            </p>
          ) : null}
          <div className="flex flex-wrap items-baseline gap-x-14 gap-y-6">
            {value !== undefined && choices.length > 1 ? (
              <SegmentedControl
                label={t('what')}
                value={value}
                onChange={setValue}
                segments={choices.map((choice) => ({ value: choice.value, label: labelOf(choice) }))}
              />
            ) : (
              <p className="text-m font-medium wrap-anywhere">{choices.map(labelOf)}</p>
            )}
            <span role="status" className="text-fg-2 text-s tabular-nums">
              {preview.refusal
                ? null
                : count === undefined
                  ? t('counting')
                  : count === null
                    ? t('uncounted')
                    : count === 0
                      ? t('nothing')
                      : t('count', { count })}
            </span>
          </div>
          {source.type === 'filter' && source.filter !== '' ? (
            <code className="text-fg-2 text-s leading-[1.5] wrap-anywhere">{source.filter}</code>
          ) : null}
          <div className="grid grid-cols-[minmax(0,5fr)_minmax(0,6fr)] max-[760px]:grid-cols-1 gap-x-24 gap-y-14">
            <FormatPart {...{ draft, onChange }} />
            <div className="grid content-start gap-14 min-w-0">
              <OptionsPart {...{ draft, onChange }} />
              <MaskingPart covered={covered} preview={preview} onChange={setCovered} />
            </div>
          </div>
        </div>
      ) : (
        <Outcome run={run} covered={covered.credential && covered.personal} />
      )}
    </Dialog>
  )
}

function Outcome({
  run,
  covered,
}: {
  readonly run: Exclude<ExportRun, { state: 'asking' }>
  readonly covered: boolean
}) {
  const { t } = useTranslation('exports')
  if (run.state === 'done')
    return (
      <div className="grid gap-10">
        <Banner tone="done" inset title={t('done', { count: run.written })}>
          <span className="wrap-anywhere">{run.place}</span>
        </Banner>
        {covered ? null : <p className="text-fg-2 text-s">{t('unmasked')}</p>}
      </div>
    )
  const { written: done, of } = run
  return (
    <div className="grid gap-8 py-10">
      <p role="status" className="text-m tabular-nums">
        {of === null ? t('writingSome', { done }) : t('writing', { done, of })}
      </p>
      <Progress label={t('progress')} value={of === null ? null : done} max={of ?? 1} />
    </div>
  )
}

type ExportRun =
  | {
      readonly state: 'asking'
      readonly busy: boolean
      readonly refusal: Refusal | null
      readonly cancelled: boolean
    }
  /** `of`: null until counted. */
  | { readonly state: 'writing'; readonly written: number; readonly of: number | null }
  | { readonly state: 'done'; readonly written: number; readonly place: string }

const ASKING = { state: 'asking', busy: false, refusal: null, cancelled: false } as const

/** A slow filter may find nothing for minutes; a stop need not wait for it. */
const stoppable = <T,>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.onabort = stop
    work.then(resolve, reject)
  })

async function write(
  draft: Draft,
  params: OpenExport,
  first: number,
  signal: AbortSignal,
  onWritten: (written: number) => void,
): Promise<number> {
  let id = first
  const read = () => stoppable(api.call('export.read', { id }), signal)
  try {
    // The host forgets an export that is not read for a minute, and a user may take longer for a place.
    let piece = await read().catch(async (error: unknown) => {
      if (signal.aborted || refusalOf(error).code !== 'not-found') throw error
      id = (await api.call('export.open', params)).id
      return read()
    })
    for (; !piece.done; piece = await read()) {
      await draft.write(piece.bytesBase64)
      onWritten(piece.written)
    }
    await draft.finish()
    return piece.written
  } catch (error) {
    await draft.discard()
    throw error
  } finally {
    api.call('export.close', { id }).catch(() => undefined)
  }
}

/** Writes an export to a file of the user's choice. Leaving the view cancels it. */
function useExportRun() {
  const [run, setRun] = useState<ExportRun>(ASKING)
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  const start = async (params: OpenExport) => {
    stop.current = new AbortController()
    const { signal } = stop.current
    const ended = (refusal: Refusal | null) => setRun({ ...ASKING, refusal, cancelled: signal.aborted })
    setRun({ ...ASKING, busy: true })
    try {
      // Before the place: a wrong filter must not leave an empty file.
      const { id, name, mediaType, deliveries: of } = await api.call('export.open', params)
      const draft = await beginFile(host().files, name, mediaType)
      if (!draft) {
        api.call('export.close', { id }).catch(() => undefined)
        return ended(null)
      }
      setRun({ state: 'writing', written: 0, of })
      const written = await write(draft, params, id, signal, (now) =>
        setRun({ state: 'writing', written: now, of }),
      )
      setRun({ state: 'done', written, place: draft.place })
    } catch (error) {
      ended(signal.aborted ? null : refusalOf(error))
    }
  }
  return { run, start, cancel: () => stop.current.abort() }
}
