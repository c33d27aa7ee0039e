import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ACCOUNTING_FIELDS } from '#catalog/fields.ts'
import type { ItemMapping } from '#contract/connection.ts'
import type { DeliveryRow } from '#contract/delivery.ts'
import type { DocumentComparison, Evidence, FieldDifference, SyncRoute } from '#contract/reconcile.ts'
import { scanJson } from '#core/json/scan.ts'
import { type JsonTree, memberNamed } from '#core/json/tree.ts'
import type { RemoteDocument } from '#core/reconcile/documents.ts'
import { AS_FOUND, readItem } from '#core/reconcile/item.ts'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { ScrollRegion } from '@/shared/components/screen.tsx'
import { type Column, Table } from '@/shared/components/table.tsx'
import { GroupDot, Tag, VerdictMark } from '@/shared/components/tag.tsx'
import { Checkbox } from '@/shared/components/toggle.tsx'
import { openDelivery } from '@/shared/deliveries/open-delivery.ts'
import { useFormat, useLanguage } from '@/shared/i18n/format.ts'

const STATUS = 'StatusId'

const COLUMN = cx(
  'min-w-0 px-12 pt-8 pb-12 overflow-auto border-line outline-none',
  'not-first:border-l focus-visible:focus-inset',
  '[&_h3]:mb-6 [&_h3]:text-fg-3 [&_h3]:label-xs [&_h3]:leading-[1.4] [&_h3:not(:first-child)]:mt-12',
)
const FOUND = 'grid gap-8 text-s leading-[1.45] [&_p]:text-fg-2'
const TABLE = cx(
  '[&_:is(th,td)]:align-baseline [&_:is(th,td)]:wrap-anywhere',
  '[&_td]:w-[32%] [&_td]:font-code [&_td]:tabular-nums [&_td]:[font-variant-ligatures:none]',
  '[&_td]:select-text',
  '[&_thead_th]:text-xs [&_tbody_th]:text-fg-2 [&_tbody_th>*]:ml-6',
)

export function Life({ comparison }: { readonly comparison: DocumentComparison }) {
  const { t } = useTranslation('reconcile')
  return (
    <ScrollRegion className={COLUMN} label={t('document.life')}>
      <h3>{t('document.life')}</h3>
      {comparison.deliveries.length === 0 ? <p className="text-fg-3 text-s">{t('document.noLife')}</p> : null}
      <DeliveryLinks deliveries={comparison.deliveries} />
    </ScrollRegion>
  )
}

function DeliveryLinks({ deliveries }: { readonly deliveries: readonly DeliveryRow[] }) {
  const { t } = useTranslation(['reconcile', 'common'])
  const format = useFormat()
  return (
    <ol className="grid gap-2 -mx-6">
      {deliveries.map((row) => (
        <li key={row.id}>
          <button
            type="button"
            className={cx(
              'grid gap-1 w-full px-6 py-4 border-0 rounded bg-transparent text-start cursor-default',
              'hover:bg-hover focus-visible:-outline-offset-2',
            )}
            title={t('document.open', { id: row.id })}
            onClick={() => void openDelivery(row.id, null)}
          >
            <span className="text-fg-3 text-xs">{format.instant(row.receivedAt)}</span>
            <span
              className={cx(
                'flex flex-wrap items-center gap-6 label-s leading-[1.4]',
                '[&_small]:text-fg-3 [&_small]:text-xs [&_small]:font-normal',
              )}
            >
              <GroupDot group={row.group} />
              <Captured text={row.event ?? '–'} most={80} />
              <VerdictMark verdict={row.verdict} signOnly />
              {row.marks.includes('synthetic') ? (
                <Tag tone="synthetic">{t('common:mark.synthetic')}</Tag>
              ) : null}
              {row.rejected ? <Tag tone="invalid">{t('common:mark.rejected')}</Tag> : null}
              {row.answer === null ? null : <small>{t('document.answered', { status: row.answer })}</small>}
            </span>
          </button>
        </li>
      ))}
    </ol>
  )
}

export interface FieldTableProps {
  readonly comparison: DocumentComparison
  readonly event: string | null
  readonly route: SyncRoute
}

export function FieldTable({ comparison, event, route }: FieldTableProps) {
  const { t } = useTranslation('reconcile')
  const language = useLanguage()
  const { item, mapping, differences, row } = comparison
  const { capturedStatus, serviceStatus, events } = row
  const statusDiffers = capturedStatus !== serviceStatus && item !== null && events.length > 0
  const shown = (id: number | null) => (id === null ? null : String(id))
  const status: FieldRow = {
    field: STATUS,
    captured: shown(capturedStatus),
    service: shown(serviceStatus),
    state: statusDiffers ? 'differs' : 'equal',
  }
  const rows = fieldRows(event, item, mapping, differences)
  const every = capturedStatus === null && serviceStatus === null ? rows : [status, ...rows]
  const differing = every.filter(({ state }) => state !== 'equal' && state !== 'one-sided')
  const [only, setOnly] = useState(true)
  const shortened = differing.length > 0 && differing.length < every.length
  const value = (side: 'captured' | 'service', title: string): Column<FieldRow> => ({
    id: side,
    title,
    cell: ({ [side]: text }) => ({
      content: text === null ? t('document.absent') : <Captured text={text} mono most={500} />,
    }),
  })
  return (
    <ScrollRegion className={COLUMN} label={t('document.fields')}>
      {shortened ? (
        <div className="mb-6">
          <Checkbox
            label={t(only ? 'document.onlyHidden' : 'grid.differences', {
              count: every.length - differing.length,
            })}
            checked={only}
            onChange={setOnly}
          />
        </div>
      ) : null}
      {every.length === 0 ? (
        <p className="text-fg-3 text-s">{t('document.noFields')}</p>
      ) : (
        <Table
          className={TABLE}
          rows={shortened && only ? differing : every}
          keyOf={({ field }) => field}
          rowClass={({ field, state }) =>
            field === STATUS && statusDiffers
              ? '[&_td]:text-invalid'
              : cx(state !== 'differs' && '[&_td]:text-fg-2')
          }
          columns={[
            {
              id: 'field',
              title: t('document.field'),
              names: true,
              cell: ({ field, state }) => ({
                title: ACCOUNTING_FIELDS.get(field)?.label[language],
                content: (
                  <>
                    {field}
                    {state === 'ignored' ? <Tag>{t('document.ignoredField')}</Tag> : null}
                    {state === 'shared' ? <Tag>{t('document.sharedField')}</Tag> : null}
                    {state === 'differs' ? <Tag tone="warning">{t('document.different')}</Tag> : null}
                  </>
                ),
              }),
            },
            value('captured', t('document.captured')),
            value('service', t(`form.routes.${route}`)),
          ]}
        />
      )}
    </ScrollRegion>
  )
}

/** Missed events with their rules, limits of the comparison, recoveries, and evidence. */
export function Findings({ comparison }: { readonly comparison: DocumentComparison }) {
  const { t } = useTranslation('reconcile')
  const { row, evidence, otherItem } = comparison
  const rules = row.rules.filter((rule) => !row.missed.some((missed) => missed.rule === rule))
  return (
    <ScrollRegion className={COLUMN} label={t('document.findings')}>
      <h3>{t('document.findings')}</h3>
      <div className={FOUND}>
        {row.missed.map(({ kind, rule, certainty }) => (
          <div key={`${rule} ${kind}`}>
            <b className={cx('font-medium', certainty === 'missed' ? 'text-invalid' : 'text-warning')}>
              {t(certainty === 'missed' ? 'why.missed' : 'why.possibly', {
                kind: kind ?? t('why.unknownKind'),
              })}
            </b>
            <p>{t(`rule.${rule}`)}</p>
          </div>
        ))}
        {row.missed.some(({ kind }) => kind === null) ? <p>{t('why.unknownKindText')}</p> : null}
        {rules.map((rule) => (
          <p key={rule}>{t(`rule.${rule}`)}</p>
        ))}
        {row.issuedSince ? <p>{t('document.issuedSince')}</p> : null}
        {row.likelyReason ? <p>{t(`why.reason.${row.likelyReason}`)}</p> : null}
        {row.cannotTell.map((rule) => (
          <p key={rule}>{t(`cannot.${rule}`)}</p>
        ))}
        {row.class === 'matched' ? <p>{t('document.fine')}</p> : null}
        {otherItem === null ? null : <p>{t('document.treasuryItem')}</p>}
        {row.recovered === null ? null : (
          <p className="text-valid!">
            {t('document.recoveredAt', { when: row.recovered.at, status: row.recovered.status })}
          </p>
        )}
        {row.ignored === null ? null : <p>{t('document.ignoredBecause', { reason: row.ignored })}</p>}
        {row.note === null ? null : <p>{t('document.noteText', { note: row.note })}</p>}
      </div>
      {row.missed.length === 0 ? null : (
        <>
          <h3>{t('document.evidence')}</h3>
          <div className={FOUND}>
            <p className="text-fg-3!">
              {t(evidence.length === 0 ? 'document.noEvidence' : 'document.evidenceText')}
            </p>
            {evidence.map((one) => (
              <Clue key={one.type === 'answers' ? `answers ${one.status}` : one.type} evidence={one} />
            ))}
          </div>
        </>
      )}
    </ScrollRegion>
  )
}

function Clue({ evidence }: { readonly evidence: Evidence }) {
  const { t } = useTranslation('reconcile')
  switch (evidence.type) {
    case 'coverage':
      return evidence.spans.map(({ state, from, to }) => (
        <p key={from}>
          {/* With seconds, because a restart can begin and end within a minute. */}
          {t(`document.coverage.${state}`, { from: from * 1_000, to: to * 1_000 })}
        </p>
      ))
    case 'answers':
      return <p>{t('document.answers', { count: evidence.count, status: evidence.status })}</p>
    case 'deleted':
      return <p>{t('document.deleted', { count: evidence.count })}</p>
    case 'lookalike':
    case 'duplicates':
      return (
        <div>
          <p>{t(`document.${evidence.type}`, { count: evidence.deliveries.length })}</p>
          <DeliveryLinks deliveries={evidence.deliveries} />
        </div>
      )
  }
}

/** One field of the accounting projection on both sides; values as sent. */
interface FieldRow {
  readonly field: string
  readonly captured: string | null
  readonly service: string | null
  readonly state: 'equal' | 'differs' | 'ignored' | 'shared' | 'one-sided'
}

/** The accounting projection of a JSON text. @param read returns null when the text has none */
function fieldsIn(text: string | null, read: (tree: JsonTree) => RemoteDocument | null) {
  const tree = text === null ? null : scanJson(text)
  const found = tree && !('problem' in tree) ? read(tree) : null
  return new Map([...(found?.accounting ?? [])].map(([field, { source }]) => [field, source]))
}

const stateOf = ({ ignored, shared }: FieldDifference): FieldRow['state'] =>
  shared ? 'shared' : ignored ? 'ignored' : 'differs'

/** Rows in the catalogue's order, differing ones first; the host decides which differ. @param event null: none @param item null: none */
export function fieldRows(
  event: string | null,
  item: string | null,
  mapping: ItemMapping | null,
  differences: readonly FieldDifference[],
): readonly FieldRow[] {
  const ours = fieldsIn(event, (tree) => {
    const data = memberNamed(tree, 0, 'data') ?? memberNamed(tree, 0, 'Data')
    return data === undefined ? null : readItem(tree, data)
  })
  const theirs = fieldsIn(item, (tree) => readItem(tree, 0, { ...AS_FOUND, corrections: mapping }))
  const told = new Map(differences.map((one) => [one.field, one]))
  const names = [...new Set([...ACCOUNTING_FIELDS.keys(), ...told.keys()])]
  const rows = names.flatMap((field): FieldRow[] => {
    const difference = told.get(field)
    const captured = difference?.captured ?? ours.get(field) ?? null
    const service = difference?.service ?? theirs.get(field) ?? null
    if (captured === null && service === null) return []
    const alone = captured === null || service === null ? 'one-sided' : 'equal'
    return [{ field, captured, service, state: difference ? stateOf(difference) : alone }]
  })
  const rank = { differs: 0, ignored: 1, shared: 1, 'one-sided': 2, equal: 2 } as const
  return rows.sort((a, b) => rank[a.state] - rank[b.state])
}
