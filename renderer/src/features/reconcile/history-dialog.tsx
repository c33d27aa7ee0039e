import { Eye, GitCompareArrows, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DocumentClass, Sweep, SweepComparison } from '#contract/reconcile.ts'
import { SWEEP_DIFFERENCES } from '#contract/values.ts'
import { ImportedTag } from '@/shared/attempts/attempt-mark.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { ConfirmAction } from '@/shared/components/confirm-action.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Dialog } from '@/shared/components/dialog.tsx'
import { Figures, StateWord } from '@/shared/components/figures.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Select } from '@/shared/components/select.tsx'
import { Table } from '@/shared/components/table.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'
import { useRoute } from '@/shared/live/route.ts'
import { CLASS_INK, CLASS_SIGNS, SHOWN_CLASSES, useWhy } from './row-words.ts'
import { rangeText, SWEEP_TONES } from './sweep-state.tsx'
import { useSweeps } from './sweeps.ts'

export interface HistoryDialogProps {
  readonly sweeps: readonly Sweep[]
  readonly shown: number | null
  readonly onClose: () => void
}

export function HistoryDialog({ sweeps, shown, onClose }: HistoryDialogProps) {
  const { t } = useTranslation(['reconcile', 'common'])
  const format = useFormat()
  const go = useRoute((s) => s.go)
  const [comparing, setComparing] = useState<number | null>(null)
  const [removing, setRemoving] = useState<number | null>(null)
  // A new comparison changes the counts of a sweep, and no push reports that.
  useEffect(() => void useSweeps.getState().refresh(), [])
  const remove = async (id: number) => {
    await api.call('sweeps.remove', { id })
    useSweeps.getState().receive([], [id])
  }
  if (comparing !== null)
    return <CompareDialog sweeps={sweeps} first={comparing} onClose={() => setComparing(null)} />
  return (
    <Dialog
      onClose={onClose}
      width={720}
      title={t('history.title')}
      description={t('history.text')}
      footer={<Button onClick={onClose}>{t('common:close')}</Button>}
    >
      {sweeps.length === 0 ? <p>{t('history.none')}</p> : null}
      <ul className="grid">
        {sweeps.map((sweep) => {
          const { id, state, problems, counts } = sweep
          return (
            <li key={id} className="flex items-start justify-between gap-12 py-8 border-t border-line-soft">
              <div>
                <p className="flex items-center gap-10 [&_b]:font-medium">
                  <b>{t('sweep.name', { id })}</b>
                  <StateWord tone={SWEEP_TONES[state]}>{t(`sweep.state.${state}`)}</StateWord>
                  <ImportedTag of={sweep} />
                  {id === shown ? <Tag tone="accent">{t('history.shown')}</Tag> : null}
                </p>
                <Figures
                  facts={[
                    sweep.connection,
                    t(`form.routes.${sweep.range.route}`),
                    <code key="range">{rangeText(sweep, t('history.whole'))}</code>,
                  ]}
                />
                <Figures
                  facts={[
                    format.moment(sweep.startedAt * 1_000),
                    t('sweep.pages', { count: sweep.pages }),
                    t('sweep.documents', { count: sweep.documents }),
                    sweep.endedAt !== null && format.duration((sweep.endedAt - sweep.startedAt) * 1_000),
                  ]}
                />
                <p className="flex flex-wrap gap-x-12 text-s tabular-nums [&_i]:not-italic">
                  {counts ? (
                    SHOWN_CLASSES.map((name) =>
                      counts[name] === 0 ? null : (
                        <span key={name} className={CLASS_INK[name] ?? 'text-fg-2'}>
                          <i aria-hidden="true">{CLASS_SIGNS[name]}</i> {format.number(counts[name])}{' '}
                          {t(`class.${name}`)}
                        </span>
                      ),
                    )
                  ) : (
                    <span className="text-fg-3">{t('history.notCompared')}</span>
                  )}
                </p>
                {problems.map(({ code }) => (
                  <p key={code} className="text-fg-2 text-s leading-[1.45]">
                    {t(`problem.${code}`)}
                  </p>
                ))}
              </div>
              <span className="flex gap-2">
                <IconButton
                  label={t('history.show', { id })}
                  icon={<Eye />}
                  onClick={() => {
                    go('reconcile', `sweep-${id}`)
                    onClose()
                  }}
                />
                {state !== 'running' && comparableWith(sweeps, sweep).length > 0 ? (
                  <IconButton
                    label={t('compare.open', { id })}
                    icon={<GitCompareArrows />}
                    onClick={() => setComparing(id)}
                  />
                ) : null}
                <IconButton
                  data-writes
                  label={t('history.remove', { id })}
                  icon={<Trash2 />}
                  onClick={() => setRemoving(id)}
                />
              </span>
            </li>
          )
        })}
      </ul>
      {removing === null ? null : (
        <ConfirmAction
          title={t('history.removeTitle', { id: removing })}
          confirmLabel={t('history.removeConfirm')}
          work={() => remove(removing)}
          onClose={() => setRemoving(null)}
        >
          {t('history.removeText')}
        </ConfirmAction>
      )}
    </Dialog>
  )
}

interface CompareDialogProps {
  readonly sweeps: readonly Sweep[]
  readonly first: number
  readonly onClose: () => void
}

/** Sweeps to compare a sweep with: finished ones of the same connection and route. */
const comparableWith = (sweeps: readonly Sweep[], { id, connection, range }: Sweep): readonly Sweep[] =>
  sweeps.filter(
    (other) =>
      other.id !== id &&
      other.state !== 'running' &&
      other.connection === connection &&
      other.range.route === range.route,
  )

function CompareDialog({ sweeps, first, onClose }: CompareDialogProps) {
  const { t } = useTranslation(['reconcile', 'common'])
  const format = useFormat()
  const mine = sweeps.find(({ id }) => id === first)
  const others = mine ? comparableWith(sweeps, mine) : []
  const older = others.find(({ id }) => id < first) ?? others[0]
  const [other, setOther] = useState(older?.id ?? first)
  const { data: comparison, refusal } = useAnswer(`${first} ${other}`, () =>
    api.call('sweeps.compare', { a: first, b: other }),
  )
  const named = (sweep: Sweep) =>
    `${sweep.id} · ${format.moment(sweep.startedAt * 1_000)} · ${rangeText(sweep, t('history.whole'))}`
  return (
    <Dialog
      onClose={onClose}
      width={760}
      title={t('compare.title', { id: first })}
      description={t('compare.text')}
      footer={<Button onClick={onClose}>{t('compare.back')}</Button>}
    >
      <Select
        label={t('compare.with')}
        value={String(other)}
        onChange={(id) => setOther(Number(id))}
        options={others.map((sweep) => ({ value: String(sweep.id), label: named(sweep) }))}
      />
      <Refused refusal={refusal} />
      {comparison ? <Compared comparison={comparison} /> : refusal ? null : <Loading className="min-h-90" />}
    </Dialog>
  )
}

const CHANGE_INK: Readonly<Partial<Record<(typeof SWEEP_DIFFERENCES)[number], string>>> = {
  'became-missing': 'text-invalid',
  'newly-differs': 'text-warning',
  healed: 'text-valid',
}

function Compared({ comparison }: { readonly comparison: SweepComparison }) {
  const { t } = useTranslation('reconcile')
  const format = useFormat()
  const { earlier, later, changes, stillMissing, stillMissingRecovered } = comparison
  const shown = SWEEP_DIFFERENCES.filter((name) => changes[name] > 0)
  const classes = SHOWN_CLASSES.filter((name) => earlier.counts[name] > 0 || later.counts[name] > 0)
  return (
    <>
      <ul className="flex flex-wrap gap-8 mt-12 mb-8" aria-label={t('compare.changes')}>
        {SWEEP_DIFFERENCES.map((name) => (
          <li
            key={name}
            className="grid gap-1 min-w-108 px-10 py-7 border border-line rounded-8 text-fg-2 text-xs"
          >
            <b
              className={cx('heading-xl tabular-nums', changes[name] > 0 && (CHANGE_INK[name] ?? 'text-fg'))}
            >
              {format.number(changes[name])}
            </b>
            <span>{t(`compare.change.${name}`)}</span>
          </li>
        ))}
      </ul>
      <p className="text-fg-2 text-s leading-[1.45]">
        {shown.length === 0 ? `${t('compare.same')} ` : ''}
        {t('compare.still', { count: stillMissing, recovered: stillMissingRecovered })}{' '}
        {t('compare.listed', { later: comparison.listedLaterOnly, earlier: comparison.listedEarlierOnly })}
      </p>
      <Table
        className="mt-6 [&_i]:not-italic"
        rows={classes}
        keyOf={(name) => name}
        columns={[
          {
            id: 'class',
            title: t('compare.class'),
            names: true,
            cell: (name) => ({
              content: (
                <>
                  <i aria-hidden="true">{CLASS_SIGNS[name]}</i> {t(`class.${name}`)}
                </>
              ),
            }),
          },
          ...[earlier, later].map(({ sweep, counts }) => ({
            id: String(sweep.id),
            title: t('sweep.name', { id: sweep.id }),
            end: true,
            cell: (name: DocumentClass) => format.number(counts[name]),
          })),
        ]}
      />
      {shown.map((name) => (
        <Changed key={name} name={name} comparison={comparison} />
      ))}
    </>
  )
}

function Changed(props: {
  readonly name: (typeof SWEEP_DIFFERENCES)[number]
  readonly comparison: SweepComparison
}) {
  const { name, comparison } = props
  const { t } = useTranslation('reconcile')
  const why = useWhy()
  const rows = comparison.rows.filter(({ difference }) => difference === name)
  const classText = (of: (typeof rows)[number]['before']) =>
    t(of === null ? 'compare.absent' : `classOfOne.${of}`)
  return (
    <section>
      <h3 className="mt-14 mb-2 heading-s">{t(`compare.change.${name}`)}</h3>
      <Table
        className="mt-6 [&_i]:not-italic"
        rows={rows}
        keyOf={({ row }) => row.key}
        columns={[
          {
            id: 'document',
            title: t('compare.document'),
            cell: ({ row }) => ({
              content: <Captured text={row.number ?? row.documentId ?? row.key} mono most={60} />,
            }),
          },
          { id: 'before', title: t('compare.before'), cell: ({ before }) => classText(before) },
          { id: 'after', title: t('compare.after'), cell: ({ after }) => classText(after) },
          {
            id: 'why',
            title: t('grid.why'),
            cell: ({ row }) => ({ content: <Captured text={why(row)} most={200} /> }),
          },
        ]}
      />
      {comparison.changes[name] > rows.length ? (
        <p className="text-fg-2 text-s leading-[1.45]">
          {t('compare.more', { count: comparison.changes[name] - rows.length })}
        </p>
      ) : null}
    </section>
  )
}
