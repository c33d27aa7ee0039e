import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { HostStatus, ListenFailure, LogProblem } from '#contract/status.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { useRoute } from '@/shared/live/route.ts'
import { startReceiver } from '@/shared/live/status.ts'
import { IncidentBanner } from './incident-banner.tsx'

function ListenBanner({ failure }: { readonly failure: ListenFailure }) {
  const { t } = useTranslation(['shell', 'common'])
  const go = useRoute((s) => s.go)
  const { code, host: address, port, message, nextFreePort } = failure
  return (
    <Banner
      tone="error"
      actions={
        <>
          {nextFreePort === null ? null : (
            <Button small onClick={() => startReceiver({ port: nextFreePort })}>
              {t('failed.usePort', { port: nextFreePort })}
            </Button>
          )}
          <Button small variant="quiet" onClick={() => startReceiver({})}>
            {t('common:retry')}
          </Button>
          <Button small variant="quiet" onClick={() => go('settings', 'receiver')}>
            {t('failed.settings')}
          </Button>
        </>
      }
    >
      {t(`failed.${code}`, { host: address, port, message })}
    </Banner>
  )
}

/** It is on from the start of Acuse until the user stops it: who wants it off closes the banner, which comes again with the next stop. */
function OffBanner() {
  const { t } = useTranslation('shell')
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
  const { t } = useTranslation('shell')
  const { state, reason } = status.store
  if (state === 'ok') return null
  const count = status.counts.unfiled
  return (
    <Banner tone={state === 'refusing' ? 'error' : 'warning'}>
      {state === 'refusing' ? t('store.refusing') : t('store.behind', { count })}
      {reason === null ? null : ` ${t('store.reason', { reason })}`}
    </Banner>
  )
}

function LogBanner({ problem }: { readonly problem: LogProblem }) {
  const { t } = useTranslation('shell')
  return (
    <Banner
      tone={problem.kind === 'damaged' || problem.kind === 'altered' ? 'error' : 'warning'}
      title={t(`log.${problem.kind}.title`)}
    >
      {t(`log.${problem.kind}.text`, { ...problem, list: 'ids' in problem ? problem.ids.map(String) : [] })}
    </Banner>
  )
}

function BudgetBanner({ status }: { readonly status: HostStatus }) {
  const { t } = useTranslation('shell')
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

/** What the status says is wrong, worst first. */
export function StatusBanners({ status }: { readonly status: HostStatus }) {
  return (
    <>
      <StoreBanner status={status} />
      {status.receiver.state === 'failed' ? <ListenBanner failure={status.receiver.failure} /> : null}
      {status.receiver.state === 'off' ? <OffBanner /> : null}
      {status.store.incidents.map((incident) => (
        <IncidentBanner key={incident.at} incident={incident} />
      ))}
      {status.store.logProblems.map((problem) => (
        <LogBanner key={JSON.stringify(problem)} problem={problem} />
      ))}
      <BudgetBanner status={status} />
    </>
  )
}
