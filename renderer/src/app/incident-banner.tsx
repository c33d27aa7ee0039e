import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Incident } from '#contract/status.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Spinner } from '@/shared/components/spinner.tsx'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { api } from '@/shared/live/api.ts'
import { remember, remembered } from '@/shared/live/remembered.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'

/** Incidents that were read and put away in this window, by their time. They stay in the status. */
const KEY = 'incidents-read'
const read = (stored: unknown): number[] | undefined =>
  Array.isArray(stored) ? stored.filter((at) => typeof at === 'number') : undefined

/** A database that could not be used any more: what happened, where both files are, and what can be had back. */
export function IncidentBanner({ incident }: { readonly incident: Incident }) {
  const { t } = useTranslation('incident')
  const refusalText = useRefusalText()
  const [away, setAway] = useState(() => remembered(KEY, read, []).includes(incident.at))
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  if (away) return null
  const { at, kind, reason, setAside, fresh, salvage, recovered } = incident
  const figures = { count: recovered }
  const bringBack = async () => {
    setBusy(true)
    setProblem(null)
    try {
      await api.call('store.salvage', { at })
    } catch (error) {
      setProblem(refusalText(refusalOf(error)))
    } finally {
      setBusy(false)
    }
  }
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
          <Button small busy={busy} onClick={() => void bringBack()}>
            {t('salvage')}
          </Button>
        ) : null
      }
    >
      {t(`text.${kind}`)} {/* Of the other kinds the title says it, in the reader's language. */}
      {kind === 'damaged' ? t('reason', { reason }) : null}
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
      {problem ? <p className="text-invalid">{problem}</p> : null}
    </Banner>
  )
}
