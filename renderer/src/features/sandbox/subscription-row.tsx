import { Ellipsis, Pencil, Trash2, TriangleAlert, Zap } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { KINDS } from '#catalog/kinds.ts'
import type { SandboxLogEntry, SandboxSubscription } from '#contract/sandbox.ts'
import { Button } from '@/shared/components/button.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Menu } from '@/shared/components/menu.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Switch } from '@/shared/components/toggle.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { shownUrl } from '@/shared/formats/url.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import { OutcomeMark } from './outcome.tsx'
import styles from './sandbox.module.css'
import { isPlainBeyondLoopback } from './subscription-draft.ts'
import own from './subscriptions.module.css'

export interface SubscriptionRowProps {
  readonly subscription: SandboxSubscription
  readonly onChanged: () => Promise<void>
  readonly onEdit: () => void
  readonly onRemove: () => void
}

/** A subscription with its switch, and its connectivity test with the answer. */
export function SubscriptionRow({ subscription, onChanged, onEdit, onRemove }: SubscriptionRowProps) {
  const { t } = useTranslation('sandbox')
  const format = useFormat()
  const { id, name, url, method, headers, kinds, active } = subscription
  const [tested, setTested] = useState<SandboxLogEntry | null>(null)
  const switching = useAction()
  const testing = useAction()
  const test = () => testing.run(async () => setTested(await api.call('sandbox.test-subscription', { id })))
  const turn = (on: boolean) =>
    switching.run(async () => {
      await api.call('sandbox.save-subscription', { id, active: on })
      await onChanged()
    })
  return (
    <li className={own.item}>
      <div className={own.head}>
        <Switch
          label={t('subscriptions.active', { name })}
          hideLabel
          checked={active}
          onChange={(on) => void turn(on)}
        />
        <span className={styles.name}>{name}</span>
        <span className={styles.spacer} />
        <Button
          icon={<Zap />}
          busy={testing.busy}
          onClick={() => void test()}
          aria-label={t('subscriptions.testNamed', { name })}
        >
          {t('subscriptions.test')}
        </Button>
        <IconButton label={t('subscriptions.editNamed', { name })} icon={<Pencil />} onClick={onEdit} />
        <Menu
          align="end"
          trigger={<IconButton label={t('subscriptions.moreNamed', { name })} icon={<Ellipsis />} />}
          entries={[
            {
              type: 'item',
              label: t('subscriptions.remove'),
              icon: <Trash2 />,
              danger: true,
              onSelect: onRemove,
            },
          ]}
        />
      </div>
      {name === url ? null : <p className={styles.code}>{shownUrl(url)}</p>}
      <p className={styles.facts}>
        {active ? null : <span>{t('subscriptions.inactive')}</span>}
        <span>{method}</span>
        <span>
          {kinds.length === KINDS.length
            ? t('subscriptions.allKinds')
            : kinds.length === 0
              ? t('subscriptions.noKinds')
              : t('subscriptions.someKinds', { count: kinds.length })}
        </span>
        {headers.length > 0 ? <span>{t('subscriptions.headersOf', { count: headers.length })}</span> : null}
      </p>
      {isPlainBeyondLoopback(url) ? (
        <p className={own.warning}>
          <TriangleAlert size={13} aria-hidden="true" />
          {t('subscriptions.plainHttp')}
        </p>
      ) : null}
      {testing.busy || tested ? (
        <p className={own.test} role="status">
          {testing.busy ? (
            t('subscriptions.testing')
          ) : tested ? (
            <>
              <OutcomeMark outcome={tested.outcome} />
              {tested.status === null ? null : (
                <span className={styles.quiet}>
                  {t('result.answered', {
                    status: tested.status,
                    took: format.duration((tested.durationMs ?? 0) * 1_000),
                  })}
                </span>
              )}
              {tested.error === null ? null : <span className={styles.quiet}>{tested.error}</span>}
            </>
          ) : null}
        </p>
      ) : null}
      <Refused refusal={switching.refusal ?? testing.refusal} />
    </li>
  )
}
