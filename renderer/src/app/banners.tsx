import { useTranslation } from 'react-i18next'
import type { HostStatus } from '#contract/status.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { useNow } from '@/shared/components/use-now.ts'
import { lateView } from '@/shared/i18n/texts.ts'
import { host } from '@/shared/live/api.ts'
import { useStatus } from '@/shared/live/status.ts'

// Rarely needed, so the code loads on demand.
const late = () => import('./status-banners.tsx')
const StatusBanners = lateView(['incident'], async () => (await late()).StatusBanners)
const AttachedBanner = lateView(['incident'], async () => (await late()).AttachedBanner)

const isWell = ({ store, receiver, disk, alertsFailing }: HostStatus): boolean =>
  store.state === 'ok' &&
  receiver.state !== 'failed' &&
  receiver.state !== 'off' &&
  store.incidents.length + store.logProblems.length === 0 &&
  disk.usedBytes < disk.budgetBytes &&
  alertsFailing === undefined

/** @param title and text of an attached window, which names its host */
function LostBanner(props: {
  readonly retryAt: number | null
  readonly title?: string
  readonly text?: string
}) {
  const { retryAt } = props
  const { t } = useTranslation('shell')
  const now = useNow(retryAt === null ? null : 500)
  const seconds = Math.max(0, Math.ceil(((retryAt ?? now) - now) / 1_000))
  return (
    <Banner
      tone="error"
      title={props.title ?? t('lost.title')}
      actions={
        <Button small onClick={() => host().reconnect()}>
          {t('lost.now')}
        </Button>
      }
    >
      {props.text ?? t('lost.text')}{' '}
      {/* The countdown is not read out: a screen reader would say nothing else. */}
      <span aria-hidden="true">
        {seconds > 0 ? t('lost.retryIn', { count: seconds }) : t('lost.retrying')}
      </span>
    </Banner>
  )
}

/** Where the window is attached, then problems that persist until the user resolves them, worst first. */
export function Banners() {
  const { status, info, connection, retryAt, ended } = useStatus()
  const attachedTo = info?.attachedTo ?? ended
  return (
    // Many problems at once leave the window its half.
    <div className="max-h-[50vh] overflow-y-auto">
      {connection === 'lost' && !attachedTo ? <LostBanner retryAt={retryAt} /> : null}
      {attachedTo ? <AttachedBanner origin={attachedTo} Lost={LostBanner} /> : null}
      {status && !isWell(status) ? <StatusBanners status={status} /> : null}
    </div>
  )
}
