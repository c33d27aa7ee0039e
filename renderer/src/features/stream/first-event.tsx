import { Send } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SandboxLogBrief } from '#contract/sandbox.ts'
import { Button } from '@/shared/components/button.tsx'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { api } from '@/shared/live/api.ts'
import { useRoute } from '@/shared/live/route.ts'
import { subscribeReceiver } from '@/shared/live/subscribe-receiver.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import styles from './empty-stream.module.css'

const PAUSE_MS = 150
/** Longer than the service waits for an answer. */
const PATIENCE_MS = 12_000

/** What became of a run's first delivery; undefined when nobody is to be sent it, or nothing is known in time. */
async function firstOf(run: string): Promise<SandboxLogBrief | undefined> {
  const until = Date.now() + PATIENCE_MS
  while (Date.now() < until) {
    const { entries, pending } = await api.call('sandbox.log', { run, limit: 1 })
    if (entries[0] || pending === 0) return entries[0]
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  return undefined
}

/** One press brings a first event: the sandbox is started if it is off, sends to this receiver, and registers a customer. */
export function FirstEvent({ url }: { readonly url: string }) {
  const { t } = useTranslation('stream')
  const refusalText = useRefusalText()
  const go = useRoute((s) => s.go)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const send = async () => {
    setBusy(true)
    setProblem(null)
    try {
      const status = await api.call('sandbox.status', {})
      if (!status.running) await api.call('sandbox.start', {})
      await subscribeReceiver(url)
      const { run } = await api.call('sandbox.emit', { kind: 'customer.created' })
      const first = await firstOf(run)
      // What was delivered shows as the first row, in place of this page.
      if (first?.outcome !== 'delivered') setProblem(t('empty.first.lost'))
    } catch (error) {
      setProblem(refusalText(refusalOf(error)))
    } finally {
      setBusy(false)
    }
  }
  return (
    <section>
      <p className={styles.lead}>{t('empty.first.lead')}</p>
      <div className={styles.first}>
        <Button icon={<Send />} busy={busy} onClick={() => void send()}>
          {t('empty.first.send')}
        </Button>
        <Button variant="quiet" onClick={() => go('sandbox')}>
          {t('empty.first.open')}
        </Button>
      </div>
      <p role="alert" className={styles.problem}>
        {problem}
      </p>
    </section>
  )
}
