import { ChevronDown, Radar, RotateCcw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type Kind, kindSpec } from '#catalog/kinds.ts'
import type { DriftKind } from '#contract/drift.ts'
import { LEARNING_DELIVERIES } from '#contract/values.ts'
import { driftJson, driftMarkdown } from '#core/drift/report.ts'
import { SCHEMA_FILES, SCHEMA_FORMATS } from '#interop/schema/formats.ts'
import { Button } from '@/shared/components/button.tsx'
import { ConfirmAction } from '@/shared/components/confirm-action.tsx'
import { cx } from '@/shared/components/cx.ts'
import { DataGrid, useHeldRows } from '@/shared/components/data-grid.tsx'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { ExportMenu } from '@/shared/components/menu.tsx'
import { Unread } from '@/shared/components/refused.tsx'
import { Screen } from '@/shared/components/screen.tsx'
import { GroupDot } from '@/shared/components/tag.tsx'
import { filterActions } from '@/shared/deliveries/value-actions.ts'
import { useTexts } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { remember, remembered } from '@/shared/live/remembered.ts'
import { type ScreenProps, useRoute } from '@/shared/live/route.ts'
import { saveText } from '@/shared/platform/save.ts'
import { EventList, useDrift } from './event-list.tsx'
import { ProfilePane } from './profile-pane.tsx'

interface DriftExportProps {
  /** The shown kind; null: all. */
  readonly kind: Kind | null
  readonly observed: readonly Kind[]
}

function DriftExport({ kind, observed }: DriftExportProps) {
  const { t, language } = useTexts('drift')
  const named = (what: string, ending: string) => `acuse-${what}${kind === null ? '' : `-${kind}`}${ending}`
  const save = (name: string, type: string, text: string) => {
    saveText(name, type, text)
    return t('exported', { name })
  }
  const profiles = () => Promise.all(observed.map((one) => api.call('drift.profile', { kind: one })))
  return (
    <ExportMenu
      disabled={false}
      ways={[
        ...(observed.length === 0
          ? []
          : [
              {
                label: t('exportMarkdown'),
                run: async () =>
                  save(named('drift', '.md'), 'text/markdown', driftMarkdown(await profiles(), language)),
              },
              {
                label: t('exportJson'),
                run: async () =>
                  save(named('drift', '.json'), 'application/json', driftJson(await profiles())),
              },
              {
                label: t('exportObserved'),
                run: async () => {
                  const { observedText } = await import('#interop/schema/observed.ts')
                  return save(
                    named('observed', '.schema.json'),
                    'application/schema+json',
                    observedText(await profiles(), kind !== null),
                  )
                },
              },
            ]),
        ...SCHEMA_FORMATS.map((format) => ({
          label: t(`documented.${format}`),
          run: async () => {
            const { describedKinds } = await import('#interop/schema/write.ts')
            const { ending, type } = SCHEMA_FILES[format]
            return save(named('events', ending), type, describedKinds(format, kind ?? undefined))
          },
        })),
      ]}
    >
      {t('export')}
      <ChevronDown aria-hidden="true" />
    </ExportMenu>
  )
}

/** Arrival of the newest drift when this screen was last open, microseconds since the epoch. */
const LOOKED = 'driftLooked'
const looked = (): number =>
  remembered(LOOKED, (stored) => (typeof stored === 'number' && stored >= 0 ? stored : undefined), 0)

export function DriftScreen({ section }: ScreenProps) {
  const { t } = useTexts(['drift', 'shell'])
  // New drifts stay marked while the screen is open.
  const [since] = useState(looked)
  const { data, refusal, renew } = useDrift('drift.list', { since })
  const [asking, setAsking] = useState(false)
  const pane = useRef<HTMLElement>(null)
  const kind = (section === null ? undefined : kindSpec(decodeURIComponent(section))?.kind) ?? null
  const go = (name: string | null) => useRoute.getState().go('drift', ...(name === null ? [] : [name]))
  useEffect(() => {
    const newest = Math.max(0, ...(data?.kinds ?? []).map(({ lastEventAt }) => lastEventAt ?? 0))
    if (newest > looked()) remember(LOOKED, newest)
  }, [data])
  const empty = data?.kinds.length === 0
  return (
    <Screen
      title={t('shell:drift')}
      className="max-[760px]:[&_h1]:flex-1"
      bar={
        <>
          <p className="flex-1 min-w-0 overflow-clip text-fg-3 text-s text-ellipsis whitespace-nowrap max-[760px]:hidden">
            {t('lead')}
          </p>
          <DriftExport
            kind={kind}
            observed={(data?.kinds ?? [])
              .map((one) => one.kind)
              .filter((one) => kind === null || one === kind)}
          />
          <Button data-writes icon={<RotateCcw />} disabled={empty || !data} onClick={() => setAsking(true)}>
            {t('reset')}
          </Button>
        </>
      }
    >
      {refusal ? (
        <div>
          <Unread refusal={refusal} title={`${t('failed')}.`} onRetry={renew} />
        </div>
      ) : empty ? (
        <EmptyState
          icon={<Radar />}
          title={t('none.title')}
          inSession={t('none.session')}
          actions={
            <>
              <Button onClick={() => useRoute.getState().go('stream')}>{t('none.stream')}</Button>
              <Button onClick={() => useRoute.getState().go('sandbox')}>{t('none.sandbox')}</Button>
            </>
          }
        >
          {t('none.text', { need: LEARNING_DELIVERIES })}
        </EmptyState>
      ) : data ? (
        <div
          className={cx(
            'grid grid-rows-[minmax(0,1fr)] grid-cols-[236px_minmax(0,1fr)] min-h-0',
            'max-[900px]:grid-cols-[170px_minmax(0,1fr)] max-[760px]:grid-cols-[168px_minmax(0,1fr)]',
          )}
        >
          <KindList kinds={data.kinds} chosen={kind} onChoose={go} onEnter={() => pane.current?.focus()} />
          <section
            ref={pane}
            tabIndex={-1}
            className="flex flex-col min-w-0 min-h-0 outline-none bg-bg focus-visible:focus-inset"
            aria-label={kind ?? t('all')}
          >
            {kind === null ? (
              <EventList kind={null} since={since} learning={data.kinds.every((one) => one.learning)} />
            ) : (
              <ProfilePane key={kind} kind={kind} since={since} />
            )}
          </section>
        </div>
      ) : null}
      {asking ? (
        <ConfirmAction
          title={kind === null ? t('resetAll') : t('resetKind', { kind })}
          confirmLabel={t('resetDo')}
          work={() => api.call('drift.reset', kind === null ? {} : { kind }).then(renew)}
          onClose={() => setAsking(false)}
        >
          <p>{t('resetText', { need: LEARNING_DELIVERIES })}</p>
        </ConfirmAction>
      ) : null}
    </Screen>
  )
}

interface KindListProps {
  readonly kinds: readonly DriftKind[]
  readonly chosen: Kind | null
  readonly onChoose: (kind: Kind | null) => void
  readonly onEnter: () => void
}

const ALL = 'all'

function KindList({ kinds, chosen, onChoose, onEnter }: KindListProps) {
  const { t, format } = useTexts('drift')
  const all = { kind: ALL, fresh: kinds.reduce((sum, { fresh }) => sum + fresh, 0) } as const
  const rows: readonly (DriftKind | typeof all)[] = [all, ...kinds]
  const known = kinds.some(({ kind }) => kind === chosen)
  return (
    <DataGrid
      label={t('kinds')}
      className="[--gap:8px] border-r border-line bg-panel!"
      rowPx={44}
      rows={useHeldRows(rows)}
      keyOf={({ kind }) => kind}
      open={(known && chosen) || ALL}
      onOpen={(kind) => onChoose(kind === ALL ? null : kind)}
      onEnter={onEnter}
      menu={({ kind }) => (kind === ALL ? [] : [filterActions(`kind:${kind}`)])}
      columns={[
        {
          id: 'group',
          track: '7px',
          cell: ({ kind }) =>
            kind === ALL ? '' : { content: <GroupDot group={kindSpec(kind)?.group ?? null} /> },
        },
        {
          id: 'kind',
          track: 'minmax(0, 1fr)',
          cell: (row) => ({
            className: 'grid grid-cols-1',
            content: (
              <>
                <span className="truncate">{row.kind === ALL ? t('all') : row.kind}</span>
                <small className="truncate text-fg-3 text-xs tabular-nums">
                  {row.kind === ALL
                    ? t('allHint')
                    : row.learning
                      ? t('learning', { seen: row.deliveries, need: LEARNING_DELIVERIES })
                      : t('deliveries', { count: row.deliveries })}
                </small>
              </>
            ),
          }),
        },
        {
          id: 'fresh',
          track: 'auto',
          cell: ({ fresh: count }) =>
            count === 0
              ? ''
              : {
                  title: t('fresh', { count, formatted: format.number(count) }),
                  content: (
                    <b
                      className={cx(
                        'block min-w-18 px-5 rounded-9 bg-accent text-on-accent text-center font-semibold font-ui',
                        'text-[10px] leading-[16px]',
                      )}
                    >
                      {format.compact(count)}
                      <span className="visually-hidden"> {t('fresh', { count, formatted: '' }).trim()}</span>
                    </b>
                  ),
                },
        },
      ]}
    />
  )
}
