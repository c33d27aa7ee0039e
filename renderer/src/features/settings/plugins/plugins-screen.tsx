import { KeyRound, Pencil, Puzzle, Repeat2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { pluginAnswerText } from '#catalog/plugin-events.ts'
import type { Connection } from '#contract/connection.ts'
import type { PublishAnswer } from '#contract/reconcile.ts'
import { ConnectionDialog } from '@/features/settings/connection-dialog.tsx'
import { useAttemptErrorText } from '@/shared/attempts/attempt-words.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Code } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Screen } from '@/shared/components/screen.tsx'
import { Select } from '@/shared/components/select.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { HeaderList } from '@/shared/headers/header-list.tsx'
import { useFormat, useLanguage } from '@/shared/i18n/format.ts'
import { useRoute } from '@/shared/live/route.ts'
import { useSettings } from '@/shared/live/settings.ts'
import {
  Compose,
  clearPublished,
  MOST_KEPT,
  type PublishedEvent,
  publish,
  usePluginDraft,
  usePublished,
  writeDraft,
} from './compose.tsx'

function HistoryList() {
  const { t } = useTranslation('plugins')
  const format = useFormat()
  const { events, shown } = usePublished()
  return (
    <section
      className="grid grid-rows-[auto_minmax(0,1fr)] grid-cols-1 min-h-0 border-t border-line"
      aria-label={t('history.title')}
    >
      <header className="flex items-center gap-8 min-h-34 pt-3 pr-8 pb-3 pl-14">
        <h2 className="heading-s" title={t('history.text', { most: MOST_KEPT })}>
          {t('history.title')}
        </h2>
        <span className="flex-1" />
        <IconButton
          small
          label={t('history.clear')}
          icon={<Trash2 />}
          disabled={events.length === 0}
          onClick={clearPublished}
        />
      </header>
      {events.length === 0 ? (
        <p className="px-14 py-4 text-fg-3 text-s">{t('history.none')}</p>
      ) : (
        <ul className="min-h-0 overflow-y-auto overscroll-contain">
          {events.map(({ id, at, eventType, connection, outcome }) => (
            <li key={id}>
              <button
                type="button"
                className={cx(
                  'grid grid-cols-[62px_minmax(0,1fr)_minmax(0,auto)_auto] items-baseline gap-8 w-full min-h-row',
                  'px-14 py-4 border-0 text-fg text-s text-left',
                  'focus-visible:-outline-offset-2',
                  '[&_code]:truncate [&_code]:code-s [&_code]:[font-variant-ligatures:none]',
                  id === shown ? 'bg-selected' : 'bg-transparent hover:bg-hover',
                )}
                aria-current={id === shown ? 'true' : undefined}
                onClick={() => usePublished.setState({ shown: id })}
              >
                <span className="text-fg-2 tabular-nums">{format.clock(at).slice(0, 8)}</span>
                <code>{eventType}</code>
                <span className="text-fg-2 tabular-nums truncate">{connection}</span>
                <OutcomeMark outcome={outcome} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

export function PluginsScreen() {
  const { t } = useTranslation(['plugins', 'common'])
  const go = useRoute((s) => s.go)
  const settings = useSettings((s) => s.settings)
  const wanted = usePluginDraft((s) => s.connection)
  const [asked, setAsked] = useState<Connection | 'new' | null>(null)
  const connections = settings?.connections
  const connection =
    connections?.find(({ name }) => name === wanted) ??
    connections?.find(({ pluginToken }) => pluginToken !== 'none') ??
    connections?.[0]
  const set = connection !== undefined && connection.pluginToken !== 'none'
  return (
    <Screen
      title={t('title')}
      bar={
        connections && connection ? (
          <>
            <Select
              className="w-180"
              label={t('connection')}
              hideLabel
              value={connection.name}
              onChange={(name) => usePluginDraft.setState({ connection: name })}
              options={connections.map(({ name }) => ({ value: name, label: name }))}
            />
            <span className="min-w-0 text-fg-2 code-s [font-variant-ligatures:none] wrap-anywhere select-text">
              {connection.baseUrl}
            </span>
            <Tag tone={set ? 'neutral' : 'warning'}>{t(`token.${connection.pluginToken}`)}</Tag>
            <span className="flex-1" />
            <IconButton label={t('edit')} icon={<Pencil />} onClick={() => setAsked(connection)} />
          </>
        ) : null
      }
    >
      {connections === undefined ? (
        <Loading className="min-h-90" />
      ) : connection ? (
        <div className="flex flex-col min-w-0 min-h-0 max-[900px]:overflow-y-auto">
          {set ? null : (
            <Banner
              tone="warning"
              title={t('token.missing')}
              actions={
                <Button small icon={<KeyRound />} onClick={() => setAsked(connection)}>
                  {t('token.give')}
                </Button>
              }
            >
              {t('token.missingText')}
            </Banner>
          )}
          <div
            className={cx(
              'grid flex-1 grid-rows-[minmax(0,1fr)] grid-cols-[minmax(0,1fr)_minmax(360px,42%)] min-w-0',
              'min-h-0',
              'max-[900px]:grid-rows-[minmax(420px,auto)_minmax(320px,auto)] max-[900px]:grid-cols-1',
            )}
          >
            <Compose connection={connection} />
            <div
              className={cx(
                'grid grid-rows-[minmax(0,1fr)_minmax(120px,36%)] grid-cols-1 min-w-0 min-h-0 border-l',
                'border-line bg-panel',
                'max-[900px]:border-t max-[900px]:border-l-0',
              )}
            >
              <Shown connections={connections} />
              <HistoryList />
            </div>
          </div>
        </div>
      ) : (
        <EmptyState
          icon={<Puzzle />}
          title={t('empty.title')}
          actions={
            <>
              <Button variant="primary" onClick={() => setAsked('new')}>
                {t('empty.action')}
              </Button>
              <Button onClick={() => go('sandbox', 'keys')}>{t('empty.sandbox')}</Button>
            </>
          }
        >
          {t('empty.text')}
        </EmptyState>
      )}
      {asked && settings ? (
        <ConnectionDialog
          item={asked === 'new' ? null : asked}
          settings={settings}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </Screen>
  )
}

function Shown({ connections }: { readonly connections: readonly Connection[] }) {
  const { t } = useTranslation('plugins')
  const event = usePublished((s) => s.events.find(({ id }) => id === s.shown))
  return (
    <section
      className="min-w-0 px-14 pt-10 pb-14 overflow-y-auto overscroll-contain focus-visible:-outline-offset-2"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      aria-label={t('answer.title')}
    >
      {event ? (
        <AnswerView
          key={event.id}
          event={event}
          connection={connections.find(({ name }) => name === event.connection) ?? null}
        />
      ) : (
        <EmptyState title={t('answer.none')}>{t('answer.noneText')}</EmptyState>
      )}
    </section>
  )
}

const MARK = 'inline-flex items-baseline gap-5 text-s tabular-nums whitespace-nowrap [&_code]:font-code'
const NOTE = 'text-fg-3 text-s leading-[1.45]'
const SENTENCE = 'mt-8 px-10 py-8 rounded bg-sunken text-s leading-[1.5] text-pretty wrap-anywhere'

function OutcomeMark({ outcome }: { readonly outcome: PublishedEvent['outcome'] }) {
  const { t } = useTranslation('plugins')
  if (outcome.is === 'sending') return <span className={MARK}>{t('answer.sending')}</span>
  const ok = outcome.is === 'answer' && outcome.answer.ok
  return (
    <span className={cx(MARK, ok ? 'text-valid' : 'text-invalid')}>
      <b aria-hidden="true">{ok ? '✓' : '✕'}</b>
      {outcome.is === 'refused' ? (
        t('answer.notSent')
      ) : outcome.answer.status === null ? (
        t('answer.noAnswer')
      ) : (
        <>
          <code>{outcome.answer.status}</code> {t(ok ? 'answer.taken' : 'answer.refused')}
        </>
      )}
    </span>
  )
}

/** Limit of an answer's body from the host (PublishAnswer). */
const BODY_SHOWN = 20_000

interface AnswerViewProps {
  readonly event: PublishedEvent
  /** Null after the connection was removed. */
  readonly connection: Connection | null
}

function AnswerView({ event, connection }: AnswerViewProps) {
  const { t } = useTranslation('plugins')
  const format = useFormat()
  const sending = usePublished((s) => s.events.some(({ outcome }) => outcome.is === 'sending'))
  const { eventType, data, outcome } = event
  const load = () => {
    if (connection) usePluginDraft.setState({ connection: connection.name })
    writeDraft(eventType, data ?? '')
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-6 min-h-28">
        <span role="status">
          {outcome.is === 'sending' ? null : <OutcomeMark outcome={outcome} />}
          {outcome.is === 'answer' ? (
            <span className="text-fg-2 text-s tabular-nums wrap-anywhere">
              {' '}
              {t('answer.took', { duration: outcome.answer.tookUs })}
            </span>
          ) : null}
        </span>
        <span className="flex-1" />
        <Button small icon={<Pencil />} onClick={load}>
          {t('load')}
        </Button>
        <Button
          small
          icon={<Repeat2 />}
          disabled={connection === null || connection.pluginToken === 'none' || sending}
          onClick={() => void publish({ connection: event.connection, eventType, data })}
        >
          {t('again')}
        </Button>
      </div>
      <p className="text-fg-2 text-s tabular-nums wrap-anywhere">
        {t('answer.sent', {
          type: eventType,
          connection: event.connection,
          when: format.clock(event.at).slice(0, 8),
        })}
      </p>
      {outcome.is === 'sending' ? (
        <div className="grid place-items-center min-h-90 text-fg-3">
          <Spinner label={t('answer.sending')} />
        </div>
      ) : null}
      {outcome.is === 'refused' ? <Refused refusal={outcome.refusal} /> : null}
      {outcome.is === 'answer' ? (
        <Answer answer={outcome.answer} event={event} connection={connection} />
      ) : null}
      <h3 className="mt-14 mb-4 heading-s">{t('answer.data')}</h3>
      {data === null ? (
        <p className={NOTE}>{t('answer.noData')}</p>
      ) : (
        <Code most={BODY_SHOWN} text={data} copyLabel={t('answer.copyData')} />
      )}
    </>
  )
}

function Answer({ answer, event, connection }: AnswerViewProps & { readonly answer: PublishAnswer }) {
  const { t } = useTranslation('plugins')
  const language = useLanguage()
  const errorText = useAttemptErrorText()
  const { status, error, headers, body } = answer
  if (status === null)
    return (
      <>
        <p className={SENTENCE}>{error ? errorText(error) : t('answer.noAnswer')}</p>
        <p className={cx(NOTE, 'mt-6')}>{t('answer.unsure')}</p>
      </>
    )
  return (
    <>
      <p className={SENTENCE}>
        {
          pluginAnswerText({
            status,
            eventType: event.eventType,
            headerName: connection?.pluginHeader.name ?? 'Authorization',
            redirected: headers.some(({ name }) => name.toLowerCase() === 'location'),
          })[language]
        }
      </p>
      {error ? <p className={SENTENCE}>{t('answer.broke', { reason: errorText(error) })}</p> : null}
      <h3 className="mt-14 mb-4 heading-s">{t('answer.body')}</h3>
      {body === '' ? (
        <p className={NOTE}>{t('answer.noBody')}</p>
      ) : (
        <Code wrap most={BODY_SHOWN} text={body} copyLabel={t('answer.copyBody')} />
      )}
      {body.length >= BODY_SHOWN ? <p className={NOTE}>{t('answer.cut', { count: BODY_SHOWN })}</p> : null}
      <h3 className="mt-14 mb-4 heading-s">{t('answer.headers')}</h3>
      <div className="-mx-14">
        <HeaderList label={t('answer.headers')} headers={headers} />
      </div>
    </>
  )
}
