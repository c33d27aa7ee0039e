import { Unplug } from 'lucide-react'
import { type ComponentType, useEffect, useState } from 'react'
import type { SessionInfo } from '#contract/session.ts'
import type { HostStatus, Incident, ListenFailure, LogProblem } from '#contract/status.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useLanguage, useTexts } from '@/shared/i18n/format.ts'
import { systemText } from '@/shared/i18n/system-words.ts'
import { api } from '@/shared/live/api.ts'
import { remember, remembered } from '@/shared/live/remembered.ts'
import { useRoute } from '@/shared/live/route.ts'
import { startReceiver, useStatus } from '@/shared/live/status.ts'
import { ACTIONS } from './actions.ts'
import './session-banner.css'

function ListenBanner({ failure }: { readonly failure: ListenFailure }) {
  const { t } = useTexts(['incident', 'common'])
  const go = useRoute((s) => s.go)
  const { code, host: address, port, nextFreePort } = failure
  const message = systemText(failure.message, useLanguage())
  return (
    <Banner
      tone="error"
      actions={
        <>
          {nextFreePort === null ? null : (
            <Button small onClick={() => startReceiver({ port: nextFreePort })}>
              {t('listen.usePort', { port: nextFreePort })}
            </Button>
          )}
          <Button small variant="quiet" onClick={() => startReceiver({})}>
            {t('common:retry')}
          </Button>
          <Button small variant="quiet" onClick={() => go('settings', 'receiver')}>
            {t('listen.settings')}
          </Button>
        </>
      }
    >
      {t(`listen.${code}`, { host: address, port, message })}
    </Banner>
  )
}

/** The receiver is off. The user can close the banner; it returns with the next stop. */
function OffBanner() {
  const { t } = useTexts('incident')
  const [closed, setClosed] = useState(false)
  if (closed) return null
  return (
    <Banner
      tone="warning"
      onDismiss={() => setClosed(true)}
      actions={
        <Button small variant="primary" onClick={() => startReceiver({})}>
          {t('off.start')}
        </Button>
      }
    >
      {t('off.text')}
    </Banner>
  )
}

function StoreBanner({ status }: { readonly status: HostStatus }) {
  const { t, language } = useTexts('incident')
  const { state, reason } = status.store
  if (state === 'ok') return null
  const count = status.counts.unfiled
  return (
    <Banner tone={state === 'refusing' ? 'error' : 'warning'}>
      {state === 'refusing' ? t('store.refusing') : t('store.behind', { count })}
      {reason === null ? null : ` ${t('store.reason', { reason: systemText(reason, language) })}`}
      {state === 'refusing' ? ` ${t('store.remedy')}` : null}
    </Banner>
  )
}

/** Incidents dismissed in this window, by their time. The status keeps them. */
const KEY = 'incidents-read'
const read = (stored: unknown): number[] | undefined =>
  Array.isArray(stored) ? stored.filter((at) => typeof at === 'number') : undefined

/** An unusable database: what happened, where both files are, and what can be recovered. */
function IncidentBanner({ incident }: { readonly incident: Incident }) {
  const { t, language } = useTexts('incident')
  const [away, setAway] = useState(() => remembered(KEY, read, []).includes(incident.at))
  const { busy, refused, run } = useAction()
  if (away) return null
  const { at, kind, reason, setAside, fresh, salvage, recovered } = incident
  const figures = { count: recovered }
  const settled = salvage === 'done' || salvage === 'failed' || salvage === 'none'
  const putAway = () => {
    remember(KEY, [...remembered(KEY, read, []), at].slice(-50))
    setAway(true)
  }
  return (
    <Banner
      tone={settled && kind !== 'missing' ? 'info' : 'warning'}
      title={t(`title.${kind}`, { when: at * 1_000 })}
      {...(settled ? { onDismiss: putAway } : {})}
      actions={
        salvage === 'offered' ? (
          <Button small busy={busy} onClick={() => void run(() => api.call('store.salvage', { at }))}>
            {t('salvage')}
          </Button>
        ) : null
      }
    >
      {t(`text.${kind}`)} {/* Of the other kinds the title says it, in the reader's language. */}
      {kind === 'damaged' ? t('reason', { reason: systemText(reason, language) }) : null}
      <dl
        className={cx(
          'grid grid-cols-[auto_minmax(0,1fr)] gap-x-10 gap-y-1 mt-4 text-fg-2',
          '[&_dd]:grid [&_code]:text-fg [&_code]:wrap-anywhere [&_code]:select-text',
        )}
      >
        {setAside.length > 0 ? (
          <>
            <dt>{t('aside')}</dt>
            <dd>
              {setAside.map((path) => (
                <code key={path}>{path}</code>
              ))}
            </dd>
          </>
        ) : null}
        <dt>{t('fresh')}</dt>
        <dd>
          <code>{fresh}</code>
        </dd>
      </dl>
      {salvage === 'running' ? (
        <p className="flex items-center gap-6 mt-4">
          <Spinner /> {t('running', figures)}
        </p>
      ) : null}
      {salvage === 'done' ? <p>{t('done', figures)}</p> : null}
      {salvage === 'failed' ? <p>{t('failed')}</p> : null}
      {refused ? <p className="text-invalid">{refused}</p> : null}
    </Banner>
  )
}

function LogBanner({ problem }: { readonly problem: LogProblem }) {
  const { t, language } = useTexts('incident')
  const reason = 'reason' in problem ? systemText(problem.reason, language) : ''
  return (
    <Banner
      tone={problem.kind === 'damaged' || problem.kind === 'altered' ? 'error' : 'warning'}
      title={t(`log.${problem.kind}.title`)}
    >
      {t(`log.${problem.kind}.text`, {
        ...problem,
        reason,
        list: 'ids' in problem ? problem.ids.map(String) : [],
      })}
    </Banner>
  )
}

function BudgetBanner({ status }: { readonly status: HostStatus }) {
  const { t } = useTexts('incident')
  const go = useRoute((s) => s.go)
  const { usedBytes, budgetBytes, overBudget } = status.disk
  if (usedBytes < budgetBytes) return null
  return (
    <Banner
      tone="warning"
      actions={
        <Button small onClick={() => go('settings', 'retention')}>
          {t('budget.action')}
        </Button>
      }
    >
      {t(`budget.${overBudget}`, { used: usedBytes, budget: budgetBytes })}
    </Banner>
  )
}

function AlertsBanner({ names }: { readonly names: readonly string[] }) {
  const { t } = useTexts('incident')
  const go = useRoute((s) => s.go)
  return (
    <Banner
      tone="warning"
      actions={
        <Button small onClick={() => go('settings', 'alerts')}>
          {t('alerts.action')}
        </Button>
      }
    >
      {t('alerts.text', { count: names.length, list: names })}
    </Banner>
  )
}

/** The banner of a lost connection, which must not wait for code from a host that cannot be reached. */
type LostBanner = ComponentType<{
  readonly retryAt: number | null
  readonly title: string
  readonly text: string
}>

/** In place of a screen, in a window that was reloaded after its session with an attached host. */
export function Ended({ origin }: { readonly origin: string }) {
  const { t } = useTexts('incident')
  return (
    <EmptyState icon={<Unplug />} title={t('attached.ended', { origin })}>
      {t('attached.endedText')}
    </EmptyState>
  )
}

/** Says whose data a window of an attached host shows, and whether its session still holds. */
export function AttachedBanner({ origin, Lost }: { readonly origin: string; readonly Lost: LostBanner }) {
  const { t } = useTexts('incident')
  const { connection, retryAt, ended } = useStatus()
  if (ended)
    return (
      <Banner tone="error" title={t('attached.ended', { origin })}>
        {t('attached.endedText')}
      </Banner>
    )
  if (connection === 'lost')
    return <Lost retryAt={retryAt} title={t('attached.lost', { origin })} text={t('attached.lostText')} />
  return (
    <Banner tone="info" title={t('attached.text', { origin })}>
      {t('attached.meaning')}
    </Banner>
  )
}

/** Says which shared log this host follows, and why it cannot now. */
function FollowingBanner({ log, reason, work, workReason }: NonNullable<HostStatus['following']>) {
  const { t, language } = useTexts('incident')
  if (reason !== null)
    return (
      <Banner tone="error" title={t('following.lost', { log })}>
        {t('following.lostText')} {t('reason', { reason: systemText(reason, language) })}
      </Banner>
    )
  const works = work.map(({ kind, name, holder }) =>
    t(holder === null ? 'following.waits' : 'following.held', {
      work: t(`following.kind.${kind}`, { name }),
      holder,
    }),
  )
  return (
    <Banner tone="info" title={t('following.title', { log })}>
      {t('following.text')}
      {works.length > 0 ? ` ${t('following.works', { works: works.join(', ') })}` : null}
      {workReason === null ? null : ` ${t('following.idle', { reason: systemText(workReason, language) })}`}
    </Banner>
  )
}

/** Problems in the status, worst first. */
export function StatusBanners({ status }: { readonly status: HostStatus }) {
  // In a session the receiver is off, so that this module is always there.
  const session = useStatus((s) => s.info?.session)
  return (
    <>
      <StoreBanner status={status} />
      {status.receiver.state === 'failed' ? <ListenBanner failure={status.receiver.failure} /> : null}
      {session ? <SessionBanner session={session} /> : null}
      {status.following ? <FollowingBanner {...status.following} /> : null}
      {status.receiver.state === 'off' && !session && !status.following ? <OffBanner /> : null}
      {status.store.incidents.map((incident) => (
        <IncidentBanner key={incident.at} incident={incident} />
      ))}
      {status.store.logProblems.map((problem) => (
        <LogBanner key={JSON.stringify(problem)} problem={problem} />
      ))}
      <BudgetBanner status={status} />
      {status.alertsFailing ? <AlertsBanner names={status.alertsFailing} /> : null}
    </>
  )
}

/** Actions that change something, or lead to screens where everything does. */
const WRITES =
  /^(?:pin|tags|note|delete|deleteShown|replay|replaySheet|emit|import|new-sweep|undo|connect|(?:start|stop)-receiver|copy-address|(?:theme|language|sandbox|settings)-.*|go-(?:sandbox|plugins|settings))$/

/** Makes the window read-only, for as long as it lives: a host that opened a session opens nothing else. */
function makeReadOnly(): void {
  document.documentElement.dataset.session = ''
  for (const action of ACTIONS)
    if (WRITES.test(action.id))
      Object.assign(action, { when: () => 'session' } satisfies Pick<typeof action, 'when'>)
}

/** Says that the window shows a session file, and hides what would change something. The host refuses it in any case. */
function SessionBanner({ session }: { readonly session: SessionInfo }) {
  const { t } = useTexts('incident')
  useEffect(makeReadOnly, [])
  const { file, createdAt, version, masked } = session
  const [kind] = masked
  const hidden =
    masked.length > 1
      ? t('session.masked')
      : kind === 'credential'
        ? t('session.maskedCredential')
        : t('session.maskedPersonal')
  return (
    <Banner tone="info" title={t('session.title')}>
      <span title={file}>
        {t('session.text', { name: file.split(/[\\/]/).at(-1), when: createdAt * 1_000, version })}
      </span>{' '}
      {kind === undefined ? null : hidden}
    </Banner>
  )
}
