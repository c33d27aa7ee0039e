import { Rows3, Send } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { KINDS } from '#catalog/kinds.ts'
import type { SandboxLogBrief } from '#contract/sandbox.ts'
import { Button } from '@/shared/components/button.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useNow } from '@/shared/components/use-now.ts'
import { localTime, localZone } from '@/shared/formats/local-time.ts'
import { isLoopback } from '@/shared/formats/url.ts'
import { api } from '@/shared/live/api.ts'
import { useConnect } from '@/shared/live/layers.ts'
import { useRoute } from '@/shared/live/route.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { startReceiver, subscribeReceiver, useStatus } from '@/shared/live/status.ts'
import { useSlots } from './detail-split.tsx'
import styles from './empty-stream.module.css'

const PAUSE_MS = 150
/** Time-out of the first event, longer than the service's own. */
const TIMEOUT_MS = 12_000

/** Result of a run's first delivery; undefined without a subscription or after the time-out. */
async function firstOf(run: string): Promise<SandboxLogBrief | undefined> {
  const until = Date.now() + TIMEOUT_MS
  while (Date.now() < until) {
    const { entries, pending } = await api.call('sandbox.log', { run, limit: 1 })
    if (entries[0] || pending === 0) return entries[0]
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  return undefined
}

/** A button for a first event: starts the sandbox if it is off, subscribes this receiver, and registers a customer. */
function FirstEvent({ url }: { readonly url: string }) {
  const { t } = useTranslation('stream')
  const go = useRoute((s) => s.go)
  const action = useAction()
  const [lost, setLost] = useState(false)
  const send = () =>
    action.run(async () => {
      setLost(false)
      const status = await api.call('sandbox.status', {})
      if (!status.running) await api.call('sandbox.start', {})
      await subscribeReceiver(url)
      const { run } = await api.call('sandbox.emit', { kind: 'customer.created' })
      const first = await firstOf(run)
      // A delivered event appears as the first row, which replaces this page.
      setLost(first?.outcome !== 'delivered')
    })
  return (
    <section>
      <p className="mb-8 text-fg-2">{t('empty.first.lead')}</p>
      <div className="flex flex-wrap gap-8">
        <Button icon={<Send />} busy={action.busy} onClick={() => void send()}>
          {t('empty.first.send')}
        </Button>
        <Button variant="quiet" onClick={() => go('sandbox')}>
          {t('empty.first.open')}
        </Button>
      </div>
      <p role="alert" className="text-invalid text-s not-empty:mt-6">
        {action.refused ?? (lost ? t('empty.first.lost') : null)}
      </p>
    </section>
  )
}

const PULSE = cx(styles.pulse, 'bg-valid')

/** Interval of renewal: an old Timestamp would be marked as late. */
const REFRESH_MS = 30_000

/** Shown before the first delivery; a session file without deliveries never gets one. */
export function EmptyStream() {
  const { t } = useTranslation('stream')
  const session = useStatus((s) => s.info?.session)
  return session ? <EmptyState icon={<Rows3 />} title={t('empty.session')} /> : <FirstDelivery />
}

/** The receiver's URL, and ways to send an event now. */
function FirstDelivery() {
  const { t } = useTranslation(['stream', 'common'])
  const { Checklist } = useSlots()
  const receiver = useStatus((s) => s.status?.receiver)
  const lost = useStatus((s) => s.connection === 'lost')
  const publicUrl = useSettings((s) => s.settings?.receiver.publicUrl ?? null)
  const endpoints = useSettings((s) => s.settings?.endpoints)
  const now = new Date(useNow(REFRESH_MS))
  const url = receiver?.state === 'listening' ? receiver.url : null
  const given = publicUrl ?? url ?? ''
  const nearOnly = isLoopback(URL.parse(given)?.hostname ?? '')
  const secretHeader = endpoints?.find(({ path }) => path === '/')?.secret?.header ?? null
  return (
    <div className="h-full overflow-y-auto">
      <div className="grid gap-26 w-[min(620px,100%)] mx-auto px-24 pt-[clamp(28px,9vh,88px)] pb-40">
        <p className="flex items-center gap-10 text-fg text-xl font-semibold tracking-[-0.015em]">
          <span
            className={cx('relative flex-none rounded-full size-9', url && !lost ? PULSE : 'bg-fg-3')}
            aria-hidden="true"
          />
          {t('empty.title')}
        </p>
        {url ? (
          <>
            <section>
              <p className="mb-8 text-fg-2">{t(nearOnly ? 'empty.leadNear' : 'empty.lead')}</p>
              <div className="flex items-center gap-12 pt-7 pr-7 pb-7 pl-14 border border-line-strong rounded-8 bg-panel">
                <code className="flex-1 min-w-0 text-l wrap-anywhere">{given}</code>
                <CopyButton text={given} label={t('empty.copyUrl')} variant="primary">
                  {t('common:copy')}
                </CopyButton>
              </div>
              <div className="flex flex-wrap items-center gap-x-10 gap-y-6 mt-8 text-fg-3 text-s">
                {nearOnly ? <span>{t('empty.near')}</span> : null}
                <Button small onClick={() => useConnect.getState().open()}>
                  {t(nearOnly ? 'empty.connectNear' : 'empty.connect')}
                </Button>
              </div>
            </section>
            <FirstEvent url={url} />
            <section>
              <p className="mb-8 text-fg-2">{t('empty.try')}</p>
              <div className="flex items-start gap-8 pt-9 pr-7 pb-9 pl-14 border border-line rounded-8 bg-sunken">
                <pre className="flex-1 min-w-0 py-2 text-fg-2 text-s leading-[1.6] whitespace-pre-wrap wrap-anywhere">
                  {curlLine({ url, secretHeader, now })}
                </pre>
                <CopyButton
                  text={() => curlLine({ url, secretHeader, now: new Date() })}
                  label={t('empty.copyCurl')}
                />
              </div>
              {secretHeader === null ? null : (
                <p className="block mt-4 text-fg-3 text-s">{t('empty.secret', { header: secretHeader })}</p>
              )}
            </section>
          </>
        ) : (
          <section>
            <p className="mb-8 text-fg-2">{t('empty.off')}</p>
            {receiver?.state === 'off' ? (
              <Button variant="primary" onClick={() => startReceiver({})}>
                {t('empty.start')}
              </Button>
            ) : null}
          </section>
        )}
        <Checklist heading="h2" />
      </div>
    </div>
  )
}

/** Sample values of a customer. The specification documents no types, so only their presence matters. */
const SAMPLE: Readonly<Record<string, string>> = {
  CustomerId: '5c1f3a52-7b0e-4c54-9d7e-0a6c2f1b8e34',
  LegalName: 'Ferretería El Progreso, SRL',
  TaxIdentification: '131048227',
}

/** ISO 8601 in local time with offset, as the service sends it; `Z` would get a warning. */
const timestamp = (now: Date): string => localTime(now.getTime()).replace(/\.\d+$/, localZone(now.getTime()))

/** In single quotes for a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A valid customer.created with every field of the catalogue. */
export function sampleEvent(now: Date): string {
  const kind = KINDS.find((k) => k.kind === 'customer.created')
  const data = Object.fromEntries((kind?.fields ?? []).map((name) => [name, SAMPLE[name] ?? name]))
  return JSON.stringify({ Event: 'customer.created', Timestamp: timestamp(now), data })
}

interface CurlLine {
  readonly url: string
  /** Name of the endpoint's secret header; the command contains YOUR-SECRET as its value. */
  readonly secretHeader: string | null
  readonly now: Date
}

/** A command that delivers a valid event to `url`, in lines of a terminal's width. */
export function curlLine({ url, secretHeader, now }: CurlLine): string {
  return [
    // Over HTTPS the certificate is rarely valid for this machine's name.
    `curl -sS${url.startsWith('https:') ? 'k' : ''} -X POST ${quoted(url)}`,
    "-H 'Content-Type: application/json'",
    ...(secretHeader === null ? [] : [`-H ${quoted(`${secretHeader}: YOUR-SECRET`)}`]),
    `-d ${quoted(sampleEvent(now))}`,
  ].join(' \\\n  ')
}
