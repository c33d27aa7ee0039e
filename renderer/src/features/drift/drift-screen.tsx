import { ChevronDown, Radar, RotateCcw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Kind, kindSpec } from '#catalog/kinds.ts'
import { LEARNING_DELIVERIES } from '#contract/values.ts'
import { driftJson, driftMarkdown } from '#core/drift/report.ts'
import { SCHEMA_FILES, SCHEMA_FORMATS } from '#interop/schema/formats.ts'
import { Button } from '@/shared/components/button.tsx'
import { ConfirmAction } from '@/shared/components/confirm-action.tsx'
import { cx } from '@/shared/components/cx.ts'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { ExportMenu } from '@/shared/components/export-menu.tsx'
import { Unread } from '@/shared/components/refused.tsx'
import { Screen } from '@/shared/components/screen.tsx'
import { useLanguage } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { remember, remembered } from '@/shared/live/remembered.ts'
import { type ScreenProps, useRoute } from '@/shared/live/route.ts'
import { saveText } from '@/shared/platform/save.ts'
import { EventList } from './event-list.tsx'
import { KindList } from './kind-list.tsx'
import { ProfilePane } from './profile-pane.tsx'
import { useDrift } from './use-drift.ts'

interface DriftExportProps {
  /** The shown kind; null: all. */
  readonly kind: Kind | null
  readonly observed: readonly Kind[]
}

function DriftExport({ kind, observed }: DriftExportProps) {
  const { t } = useTranslation('drift')
  const language = useLanguage()
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
  const { t } = useTranslation(['drift', 'shell'])
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
          <Button icon={<RotateCcw />} disabled={empty || !data} onClick={() => setAsking(true)}>
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
              <EventList kind={null} since={since} learning={false} />
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
