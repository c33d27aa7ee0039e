import { EyeOff, StickyNote, Wrench, X } from 'lucide-react'
import { Fragment, type KeyboardEvent, type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DocumentComparison, Sweep, SyncRoute } from '#contract/reconcile.ts'
import { base64Of, bytesOf } from '#core/copy/copy.ts'
import { BodyBox } from '@/shared/attempts/body-box.tsx'
import { deliveryBody, givenBody } from '@/shared/body/open-body.ts'
import { Button } from '@/shared/components/button.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { FormDialog } from '@/shared/components/form-dialog.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { SegmentedControl } from '@/shared/components/segmented-control.tsx'
import { Select } from '@/shared/components/select.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { TextArea } from '@/shared/components/text-field.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { FieldTable, type FieldTableProps, Findings, Life } from './document-sides.tsx'
import { CLASS_SIGNS } from './row-words.ts'

/** Size limit, in bytes, of a captured body that the window parses for its fields; the host sends the differing ones. */
const LONGEST = 1_048_576

/** The latest captured event with accounting fields; events of the tax authority have none. */
async function latestEvent({ deliveries }: DocumentComparison): Promise<string | null> {
  const captured = deliveries.filter(({ marks, rejected, size }) => {
    return !rejected && !marks.includes('synthetic') && size <= LONGEST
  })
  for (const { id } of [...captured].reverse()) {
    const body = await api.call('deliveries.body', { id, view: 'decoded', from: 0, length: LONGEST })
    const text = body.problem === null ? new TextDecoder().decode(bytesOf(body.bytesBase64)) : ''
    if (/"accounting"\s*:\s*\{/i.test(text)) return text
  }
  return null
}

const base64 = (text: string): string => base64Of(new TextEncoder().encode(text))

const SIDE = cx(
  'flex flex-col gap-6 min-w-0 min-h-0 py-8 overflow-auto border-line',
  'not-first:border-l',
  '[&>:not(:last-child)]:mx-14 [&>:not(:last-child)]:my-0',
  '[&_h3]:text-fg-3 [&_h3]:label-xs [&_h3]:leading-[1.4]',
)

function DocumentRaw({ comparison, route }: Omit<FieldTableProps, 'event'>) {
  const { t } = useTranslation('reconcile')
  const { deliveries, item, otherItem, row } = comparison
  const [chosen, setChosen] = useState(() =>
    String(deliveries.findLast(({ kind }) => kind !== null)?.id ?? ''),
  )
  const delivery = deliveries.find(({ id }) => String(id) === chosen) ?? deliveries.at(-1)
  const other: SyncRoute = route === 'accounting' ? 'treasury' : 'accounting'
  return (
    <div className="grid flex-1 grid-rows-[minmax(0,1fr)] grid-cols-[minmax(0,1fr)_minmax(0,1fr)] min-h-0">
      <section className={SIDE} aria-label={t('document.captured')}>
        {delivery ? (
          <>
            <Select
              label={t('document.captured')}
              hideLabel
              value={String(delivery.id)}
              onChange={setChosen}
              options={deliveries.map(({ id, event }) => ({
                value: String(id),
                label: `${t('document.rawCaptured', { id })}: ${event ?? '–'}`,
              }))}
            />
            <BodyBox source={deliveryBody(delivery.id, 'raw')} />
          </>
        ) : (
          <p className="mx-14 text-fg-3 text-s">{t('document.noLife')}</p>
        )}
      </section>
      <section className={SIDE} aria-label={t('document.service')}>
        {item === null ? <p className="mx-14 text-fg-3 text-s">{t('document.noItem')}</p> : null}
        {[{ of: route, record: item } as const, { of: other, record: otherItem } as const].map(
          ({ of, record }) =>
            record === null ? null : (
              <Fragment key={of}>
                <h3>{t('document.rawService', { route: t(`form.routes.${of}`) })}</h3>
                <BodyBox source={givenBody(`item/${row.key}/${of}`, base64(record))} />
              </Fragment>
            ),
        )}
      </section>
    </div>
  )
}

type View = 'fields' | 'raw'

export interface DocumentPaneProps {
  readonly sweep: Sweep
  readonly documentKey: string
  readonly beat: number
  readonly onClose: () => void
  readonly onRebuild: (key: string) => void
  readonly onAnnotate: (annotating: Annotating) => void
  readonly ref: RefObject<HTMLElement | null>
}

/** One document: captured events on the left, the service's record field by field in the middle, findings on the right. */
export function DocumentPane(props: DocumentPaneProps) {
  const { sweep, documentKey, beat, onClose, ref } = props
  const { t } = useTranslation(['reconcile', 'common'])
  const { data: comparison, refusal } = useAnswer(
    documentKey,
    () => api.call('reconciliation.document', { sweep: sweep.id, key: documentKey }),
    beat,
  )
  /** Body of the latest captured event with accounting fields; null: none, or unreadable. */
  const { data: event } = useAnswer(
    comparison && documentKey,
    async () => comparison && (await latestEvent(comparison)),
    comparison,
  )
  const [view, setView] = useState<View>('fields')
  const press = (pressed: KeyboardEvent) => {
    if (pressed.key !== 'Escape' || pressed.defaultPrevented) return
    pressed.preventDefault()
    onClose()
  }
  const number = comparison?.row.number ?? comparison?.row.documentId ?? documentKey
  return (
    <section
      ref={ref}
      tabIndex={-1}
      className="flex flex-col min-w-0 min-h-0 bg-panel outline-none border-t border-line-strong focus-visible:focus-inset"
      aria-label={t('document.label', { number })}
      onKeyDown={press}
    >
      <header className="flex flex-none flex-wrap items-center gap-x-8 gap-y-6 pt-6 pr-8 pb-6 pl-12 border-b border-line">
        <h2 className="code-heading-m leading-[1.3]">
          <Captured text={number} mono most={80} />
        </h2>
        {comparison ? (
          <Tag>{`${CLASS_SIGNS[comparison.row.class]} ${t(`classOfOne.${comparison.row.class}`)}`}</Tag>
        ) : null}
        {comparison?.row.documentId ? (
          // Truncate the id before a button wraps to the next line.
          <code className="flex-[1000_1_70px] overflow-hidden text-fg-3 text-xs text-ellipsis select-text [&>*]:whitespace-pre">
            <Captured text={comparison.row.documentId} mono most={80} />
          </code>
        ) : null}
        <span className="flex-1" />
        <SegmentedControl<View>
          label={t('document.view')}
          value={view}
          onChange={setView}
          segments={(['fields', 'raw'] as const).map((value) => ({
            value,
            label: t(`document.views.${value}`),
          }))}
        />
        {comparison ? <Actions {...props} comparison={comparison} /> : null}
        <IconButton label={t('common:close')} icon={<X />} onClick={onClose} />
      </header>
      <Refused refusal={refusal} />
      {comparison ? (
        view === 'fields' ? (
          <div className="grid flex-1 grid-rows-[minmax(0,1fr)] grid-cols-[minmax(230px,0.8fr)_minmax(380px,1.7fr)_minmax(250px,1fr)] min-h-0">
            <Life comparison={comparison} />
            <FieldTable comparison={comparison} event={event} route={sweep.range.route} />
            <Findings comparison={comparison} />
          </div>
        ) : (
          <DocumentRaw key={documentKey} comparison={comparison} route={sweep.range.route} />
        )
      ) : refusal ? null : (
        <Loading className="flex-1" />
      )}
    </section>
  )
}

function Actions({
  comparison: { row },
  onRebuild,
  onAnnotate,
}: DocumentPaneProps & { readonly comparison: DocumentComparison }) {
  const { t } = useTranslation('reconcile')
  const number = row.number ?? row.key
  return (
    <>
      {row.class !== 'recovered' && row.missed.some(({ certainty }) => certainty === 'missed') ? (
        <Button data-writes small icon={<Wrench />} onClick={() => onRebuild(row.key)}>
          {t('document.rebuild')}
        </Button>
      ) : null}
      <Button
        data-writes
        small
        icon={<EyeOff />}
        onClick={() => onAnnotate({ what: 'ignored', keys: [row.key], present: row.ignored, number })}
      >
        {t(row.ignored === null ? 'document.ignore' : 'document.editIgnore')}
      </Button>
      <Button
        data-writes
        small
        icon={<StickyNote />}
        onClick={() => onAnnotate({ what: 'note', keys: [row.key], present: row.note, number })}
      >
        {t('document.note')}
      </Button>
    </>
  )
}

export interface Annotating {
  readonly what: 'ignored' | 'note'
  readonly keys: readonly string[]
  readonly present: string | null
  readonly number: string
}
interface AnnotateDialogProps {
  readonly connection: string
  readonly annotating: Annotating
  readonly onDone: () => void
  readonly onClose: () => void
}

export function AnnotateDialog({ connection, annotating, onDone, onClose }: AnnotateDialogProps) {
  const { t } = useTranslation('reconcile')
  const { what, keys, present, number } = annotating
  const action = useAction()
  const [text, setText] = useState(present ?? '')
  const put = async (value: string | null) => {
    const done = await action.run(() =>
      api.call('reconciliation.annotate', { connection, keys, [what]: value }),
    )
    if (!done) return
    onDone()
    onClose()
  }
  const ignoring = what === 'ignored'
  return (
    <FormDialog
      title={
        ignoring ? t('annotate.ignoreTitle', { count: keys.length }) : t('annotate.noteTitle', { number })
      }
      description={t(ignoring ? 'annotate.ignoreText' : 'annotate.noteText')}
      action={t(ignoring ? 'annotate.ignore' : 'annotate.save')}
      busy={action.busy}
      refusal={action.refusal}
      disabled={text.trim() === ''}
      onSubmit={() => void put(text.trim() || null)}
      onClose={onClose}
    >
      <TextArea
        label={t(ignoring ? 'annotate.reason' : 'annotate.note')}
        rows={3}
        value={text}
        onChange={setText}
      />
      {present === null ? null : (
        <div>
          <Button busy={action.busy} onClick={() => void put(null)}>
            {t(ignoring ? 'annotate.takeBack' : 'annotate.removeNote')}
          </Button>
        </div>
      )}
    </FormDialog>
  )
}
