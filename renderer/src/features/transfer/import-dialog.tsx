import { FileUp, FolderUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SessionParts } from '#contract/transfer.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { Dialog } from '@/shared/components/dialog.tsx'
import { Progress } from '@/shared/components/progress.tsx'
import { ScrollRegion } from '@/shared/components/screen.tsx'
import { Select } from '@/shared/components/select.tsx'
import { type Column, Table } from '@/shared/components/table.tsx'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { useRoute } from '@/shared/live/route.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { type Imported, type ImportRun, useImportRun } from './import-run.ts'
import { filesOfInput, type PickedFile, usePicked } from './picked-files.ts'

/** Names of files that are listed. */
const FILES_LISTED = 8

/** Imports files and folders that other programs wrote, and tells what became deliveries. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['imports', 'common'])
  const { files, clear } = usePicked()
  const [endpoint, setEndpoint] = useState('default')
  const { run, start, cancel, again } = useImportRun()
  // A later dialog begins without files.
  useEffect(() => clear, [clear])
  const main = useRef<HTMLButtonElement>(null)
  const { state } = run
  const ready = (files?.length ?? 0) > 0
  // Enter goes on: with the picked files, and with the result.
  useEffect(() => {
    usePicked.setState({ busy: state !== 'choosing' })
    if (ready && state !== 'running') main.current?.focus()
  }, [ready, state])
  const close = run.state === 'running' ? cancel : onClose
  const shown = run.state === 'done' ? importedFilter(run.results) : null
  const finish = () => {
    onClose()
    if (shown === null) return
    useRoute.getState().go('stream')
    useFilter.getState().set(shown)
  }
  return (
    <Dialog
      onClose={close}
      width={640}
      title={t('title')}
      description={run.state === 'choosing' ? t('lead') : undefined}
      onSubmit={() => {
        if (run.state === 'choosing' && files && ready) void start(files, endpoint)
        else if (run.state === 'done') finish()
      }}
      footer={
        run.state === 'choosing' ? (
          <>
            <Button onClick={onClose}>{t('common:cancel')}</Button>
            <Button
              type="submit"
              variant="primary"
              ref={main}
              data-begin={ready ? '' : undefined}
              disabled={!ready}
            >
              {t('import')}
            </Button>
          </>
        ) : run.state === 'running' ? (
          <Button onClick={cancel}>{t('common:cancel')}</Button>
        ) : (
          <>
            <Button
              onClick={() => {
                clear()
                again()
              }}
            >
              {t('another')}
            </Button>
            {shown === null ? null : <Button onClick={onClose}>{t('common:close')}</Button>}
            <Button type="submit" variant="primary" ref={main}>
              {shown === null ? t('common:close') : t('show')}
            </Button>
          </>
        )
      }
    >
      {run.state === 'choosing' ? (
        <Choosing endpoint={endpoint} onEndpoint={setEndpoint} />
      ) : run.state === 'running' ? (
        <Running run={run} files={files ?? []} />
      ) : (
        <ImportResult results={run.results} cancelled={run.cancelled} />
      )}
    </Dialog>
  )
}

interface ChoosingProps {
  readonly endpoint: string
  readonly onEndpoint: (endpoint: string) => void
}

function Choosing({ endpoint, onEndpoint }: ChoosingProps) {
  const { t } = useTranslation('imports')
  const { files, problem, pick, clear } = usePicked()
  const endpoints = useSettings((s) => s.settings?.endpoints) ?? []
  const pickers = { file: useRef<HTMLInputElement>(null), folder: useRef<HTMLInputElement>(null) }
  const size = files?.reduce((sum, { file }) => sum + file.size, 0) ?? 0
  const picker = (what: 'file' | 'folder') => (
    <input
      ref={pickers[what]}
      type="file"
      hidden
      multiple
      {...(what === 'folder' ? { webkitdirectory: '' } : {})}
      aria-label={t(what === 'file' ? 'files' : 'folder')}
      onChange={({ target }) => {
        if (target.files) pick(filesOfInput(target.files))
        // Allows picking the same files again.
        target.value = ''
      }}
    />
  )
  return (
    <div className="grid grid-cols-1 gap-14">
      <div className="flex flex-wrap items-center justify-center gap-x-10 gap-y-8 p-16 border border-dashed border-line-strong rounded-8 bg-sunken">
        {picker('file')}
        {picker('folder')}
        <Button icon={<FileUp />} onClick={() => pickers.file.current?.click()}>
          {t('files')}
        </Button>
        <Button icon={<FolderUp />} onClick={() => pickers.folder.current?.click()}>
          {t('folder')}
        </Button>
        <span className="text-fg-2 text-s">{t('drop')}</span>
      </div>
      {problem === null ? null : (
        <Banner tone="error" inset>
          {t('unreadable', { reason: problem })}
        </Banner>
      )}
      {files === null ? null : files.length === 0 ? (
        <p role="status" className="text-fg-2 text-s">
          {t('empty')}
        </p>
      ) : (
        <div>
          <div className="flex items-center gap-8 pb-4">
            <p role="status" className="text-s font-medium tabular-nums">
              {t('chosen', { count: files.length, size })}
            </p>
            <Button small variant="quiet" onClick={clear}>
              {t('clear')}
            </Button>
          </div>
          <FileNames files={files} />
        </div>
      )}
      {endpoints.length > 1 ? (
        <Select
          label={t('endpoint')}
          value={endpoint}
          onChange={onEndpoint}
          options={endpoints.map(({ name }) => ({ value: name, label: name }))}
        />
      ) : null}
    </div>
  )
}

function FileNames({ files }: { readonly files: readonly PickedFile[] }) {
  const { t } = useTranslation('imports')
  const format = useFormat()
  const more = files.length - FILES_LISTED
  return (
    <ul className="grid gap-2 text-s">
      {files.slice(0, FILES_LISTED).map(({ name, file }) => (
        <li key={name} className="flex gap-10 min-w-0">
          <span className="flex-1 min-w-0 wrap-anywhere">
            <Captured text={name} most={160} />
          </span>
          <span className="text-fg-2 tabular-nums">{format.bytes(file.size)}</span>
        </li>
      ))}
      {more > 0 ? <li className="text-fg-2">{t('more', { count: more })}</li> : null}
    </ul>
  )
}

interface RunningProps {
  readonly run: Extract<ImportRun, { state: 'running' }>
  readonly files: readonly PickedFile[]
}

function Running({ run: { at, sent, found }, files }: RunningProps) {
  const { t } = useTranslation('imports')
  const { name = '', file } = files[at] ?? {}
  const of = file?.size ?? 0
  return (
    <div className="grid gap-8 py-4">
      <p className="flex flex-wrap gap-x-10 text-m wrap-anywhere">
        <span className="font-medium">
          <Captured text={name} most={160} />
        </span>
        {files.length > 1 ? (
          <span className="text-fg-2 tabular-nums">{t('file', { at: at + 1, of: files.length })}</span>
        ) : null}
      </p>
      <Progress label={t('progress')} value={found === null ? sent : null} max={of} />
      <p role="status" className="text-fg-2 text-s tabular-nums">
        {found === null ? t('sending', { sent, of }) : t('reading', { count: found })}
      </p>
      <p className="text-fg-3 text-s">{t('stays')}</p>
    </div>
  )
}

/** Problems that are listed, over all files. */
const PROBLEMS_LISTED = 100

const sum = (results: readonly Imported[], of: 'imported' | 'duplicates' | 'bad'): number =>
  results.reduce((all, { state }) => all + (state?.[of] ?? 0), 0)

/** A filter of the deliveries that these files gave; null when there are none. */
function importedFilter(results: readonly Imported[]): string | null {
  const ids = results.flatMap(({ state }) => [state?.firstId ?? [], state?.lastId ?? []].flat())
  return ids.length === 0 ? null : `is:imported id:${Math.min(...ids)}..${Math.max(...ids)}`
}

interface Problem {
  readonly file: string
  readonly place: string
  readonly reason: string
}

const PLACES = ['file', 'line', 'entry', 'request', 'delivery', 'attempts', 'sweeps'] as const

const PARTS = ['attempts', 'jobs', 'sweeps'] as const
/** How many of each part of session files were taken, known or left out. */
const partOf = (results: readonly Imported[], what: (typeof PARTS)[number]) => {
  const of = (as: keyof SessionParts['jobs']) =>
    results.reduce((all, { state }) => all + (state?.session?.[what][as] ?? 0), 0)
  return { taken: of('taken'), known: of('known'), leftOut: of('leftOut') }
}

const TONES = { imported: 'text-valid', duplicates: 'text-fg', bad: 'text-invalid' } as const

function ImportResult(props: { readonly results: readonly Imported[]; readonly cancelled: boolean }) {
  const { results, cancelled } = props
  const { t } = useTranslation('imports')
  const format = useFormat()
  const refusalText = useRefusalText()
  const placeText = (place: string): string => {
    const [, found, number = ''] = /^(\w+)(?: (\d+))?$/.exec(place) ?? []
    const what = PLACES.find((one) => one === found)
    return what ? t(`places.${what}`, { number }) : place
  }
  const problems = results.flatMap(({ name: file, state, refusal }): readonly Problem[] => [
    ...(refusal ? [{ file, place: t('places.file'), reason: refusalText(refusal) }] : []),
    ...(state?.state === 'failed'
      ? [{ file, place: t('places.file'), reason: state.reason ? refusalText(state.reason) : '' }]
      : []),
    ...(state?.problems ?? []).map(({ place, reason }) => ({
      file,
      place: placeText(place),
      reason: refusalText(reason),
    })),
  ])
  const listed = (state: Imported['state']) => state?.problems.length ?? 0
  const unlisted =
    results.reduce((all, { state }) => all + (state?.bad ?? 0) - listed(state), 0) +
    Math.max(0, problems.length - PROBLEMS_LISTED)
  const column = (id: keyof Problem, className: string): Column<Problem> => ({
    id,
    title: t(`problem.${id}`),
    className,
    cell: (problem) => ({ content: <Captured text={problem[id]} most={300} /> }),
  })
  return (
    <div className="grid grid-cols-1 gap-14">
      <div role="status">
        <dl className="flex gap-28">
          {(['imported', 'duplicates', 'bad'] as const).map((what) => {
            const count = sum(results, what)
            return (
              <div key={what} className="flex flex-col-reverse">
                <dt className="text-fg-2 text-s">{t(what)}</dt>
                <dd className={`text-xl font-semibold tabular-nums ${count > 0 ? TONES[what] : 'text-fg-3'}`}>
                  {format.number(count)}
                </dd>
              </div>
            )
          })}
        </dl>
      </div>
      {cancelled ? (
        <Banner tone="info" inset>
          {t('cancelled')}
        </Banner>
      ) : null}
      {PARTS.map((what) => {
        const part = partOf(results, what)
        return part.taken + part.known + part.leftOut === 0 ? null : (
          <p key={what} className="text-fg-2 text-s">
            {t(`parts.${what}`, part)}
          </p>
        )
      })}
      {sum(results, 'imported') === 0 && sum(results, 'duplicates') > 0 ? (
        <p className="text-fg-2 text-s">{t('nothingNew')}</p>
      ) : null}
      {problems.length > 0 ? (
        <div>
          <h3 className="pb-4 heading-s">{t('problems')}</h3>
          <ScrollRegion
            label={t('problems')}
            className="max-h-260 overflow-y-auto px-10 pb-4 border border-line rounded outline-none focus-visible:focus-inset"
          >
            <Table
              columns={[
                column('file', 'wrap-anywhere'),
                column('place', 'min-w-96 text-fg-2'),
                column('reason', 'wrap-anywhere'),
              ]}
              rows={problems.slice(0, PROBLEMS_LISTED)}
              keyOf={({ file, place, reason }) => [file, place, reason].join('\n')}
            />
          </ScrollRegion>
          {unlisted > 0 ? (
            <p className="pt-6 text-fg-2 text-s">{t('moreProblems', { count: unlisted })}</p>
          ) : null}
        </div>
      ) : null}
    </div>
  )
}
