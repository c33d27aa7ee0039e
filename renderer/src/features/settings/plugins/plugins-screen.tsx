import { KeyRound, Pencil, Puzzle, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connection } from '#contract/connection.ts'
import { ConnectionDialog } from '@/features/settings/connection-dialog.tsx'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Select } from '@/shared/components/select.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { useRoute } from '@/shared/live/route.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { AnswerView } from './answer-view.tsx'
import { Compose } from './compose.tsx'
import { OutcomeMark } from './outcome-mark.tsx'
import { usePluginDraft } from './plugin-draft.ts'
import styles from './plugins.module.css'
import { MOST_KEPT, usePublished } from './published.ts'

/** What this window published, newest first. */
function HistoryList() {
  const { t } = useTranslation('plugins')
  const format = useFormat()
  const { events, shown, show, clear } = usePublished()
  return (
    <section className={styles.history} aria-label={t('history.title')}>
      <header>
        <h2 title={t('history.text', { most: MOST_KEPT })}>{t('history.title')}</h2>
        <span className={styles.spacer} />
        <IconButton
          small
          label={t('history.clear')}
          icon={<Trash2 />}
          disabled={events.length === 0}
          onClick={clear}
        />
      </header>
      {events.length === 0 ? (
        <p className={styles.nothing}>{t('history.none')}</p>
      ) : (
        <ul>
          {events.map(({ id, at, eventType, connection, outcome }) => (
            <li key={id}>
              <button
                type="button"
                className={cx(styles.past, id === shown && styles.on)}
                aria-current={id === shown ? 'true' : undefined}
                onClick={() => show(id)}
              >
                <span className={styles.time}>{format.clock(at).slice(0, 8)}</span>
                <code>{eventType}</code>
                <span className={styles.where}>{connection}</span>
                <OutcomeMark outcome={outcome} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Publishing what an installed plugin publishes, with the service's answer. */
export function PluginsScreen() {
  const { t } = useTranslation(['plugins', 'common'])
  const go = useRoute((s) => s.go)
  const settings = useSettings((s) => s.settings)
  const { connection: wanted, choose } = usePluginDraft()
  const [asked, setAsked] = useState<Connection | 'new' | null>(null)
  const connections = settings?.connections
  const connection =
    connections?.find(({ name }) => name === wanted) ??
    connections?.find(({ pluginToken }) => pluginToken !== 'none') ??
    connections?.[0]
  const set = connection !== undefined && connection.pluginToken !== 'none'
  return (
    <div className={styles.screen}>
      <header className={styles.bar}>
        <h1>{t('title')}</h1>
        {connections && connection ? (
          <>
            <Select
              className={styles.connection}
              label={t('connection')}
              hideLabel
              value={connection.name}
              onChange={choose}
              options={connections.map(({ name }) => ({ value: name, label: name }))}
            />
            <span className={styles.url}>{connection.baseUrl}</span>
            <Tag tone={set ? 'neutral' : 'warning'}>{t(`token.${connection.pluginToken}`)}</Tag>
            <span className={styles.spacer} />
            <IconButton label={t('edit')} icon={<Pencil />} onClick={() => setAsked(connection)} />
          </>
        ) : null}
      </header>
      {connections === undefined ? (
        <div className={styles.waiting}>
          <Spinner label={t('common:loading')} />
        </div>
      ) : connection ? (
        <div className={styles.content}>
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
          <div className={styles.parts}>
            <Compose connection={connection} />
            <div className={styles.side}>
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
          connection={asked === 'new' ? null : asked}
          settings={settings}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </div>
  )
}

function Shown({ connections }: { readonly connections: readonly Connection[] }) {
  const { t } = useTranslation('plugins')
  const event = usePublished((s) => s.events.find(({ id }) => id === s.shown))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={styles.answer} tabIndex={0} aria-label={t('answer.title')}>
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
