import { KeyRound, Pencil, Puzzle } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connection } from '#contract/connection.ts'
import { ConnectionDialog } from '@/features/settings/connection-dialog.tsx'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Select } from '@/shared/components/select.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { useRoute } from '@/shared/live/route.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { AnswerView } from './answer-view.tsx'
import { Compose } from './compose.tsx'
import { HistoryList } from './history-list.tsx'
import { usePluginDraft } from './plugin-draft.ts'
import styles from './plugins.module.css'
import { usePublished } from './published.ts'

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
