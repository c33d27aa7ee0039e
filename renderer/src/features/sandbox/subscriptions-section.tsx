import { Plus, Radio } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SandboxSubscription } from '#contract/sandbox.ts'
import { Button } from '@/shared/components/button.tsx'
import { ConfirmAction } from '@/shared/components/confirm-action.tsx'
import { cx } from '@/shared/components/cx.ts'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import card from '@/shared/components/section-card.module.css'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'
import { subscribeReceiver, useStatus } from '@/shared/live/status.ts'
import { Part } from './part.tsx'
import styles from './sandbox.module.css'
import { useSandbox } from './sandbox.ts'
import { SubscriptionDialog } from './subscription-dialog.tsx'
import { SubscriptionRow } from './subscription-row.tsx'
import { useKeptList } from './use-kept-list.ts'

const read = async () => (await api.call('sandbox.subscriptions', {})).subscriptions

type Asked =
  | { readonly what: 'edit'; readonly subscription: SandboxSubscription | null }
  | { readonly what: 'remove'; readonly subscription: SandboxSubscription }

/** Who is sent which events. */
export function SubscriptionsSection() {
  const { t } = useTranslation('sandbox')
  const receiver = useStatus((s) => s.status?.receiver)
  const known = useSandbox((s) => s.state?.subscriptions)
  const [asked, setAsked] = useState<Asked | null>(null)
  const action = useAction()
  const { items: list, refusal, reload } = useKeptList(known, read)
  const remove = async ({ id }: SandboxSubscription) => {
    const done = await action.run(async () => {
      await api.call('sandbox.remove-subscription', { id })
      await reload()
    })
    if (done) setAsked(null)
  }
  const url = receiver?.state === 'listening' ? receiver.url : null
  const subscribed = list?.some((one) => one.url === url) ?? true
  const addReceiver =
    url === null || subscribed ? null : (
      <Button
        variant={list?.length === 0 ? 'primary' : 'default'}
        icon={<Radio />}
        onClick={() => void action.run(async () => subscribeReceiver(url).then(reload))}
      >
        {t('subscriptions.addReceiver')}
      </Button>
    )
  const add = (
    <Button icon={<Plus />} onClick={() => setAsked({ what: 'edit', subscription: null })}>
      {t('subscriptions.add')}
    </Button>
  )
  return (
    <Part
      title={t('subscriptions.title')}
      lead={t('subscriptions.lead')}
      actions={
        list && list.length > 0 ? (
          <div className={styles.buttons}>
            {addReceiver}
            {add}
          </div>
        ) : null
      }
    >
      <Refused refusal={refusal} />
      {asked === null ? <Refused refusal={action.refusal} /> : null}
      {list?.length === 0 ? (
        <div className={card.card}>
          <EmptyState
            icon={<Radio />}
            title={t('subscriptions.empty')}
            actions={
              <>
                {addReceiver}
                {add}
              </>
            }
          >
            {t(url === null ? 'subscriptions.emptyOff' : 'subscriptions.emptyText')}{' '}
            {url === null ? null : <code className={styles.code}>{url}</code>}
          </EmptyState>
        </div>
      ) : null}
      {list && list.length > 0 ? (
        <ul className={cx(card.card, styles.rows)}>
          {list.map((subscription) => (
            <SubscriptionRow
              key={subscription.id}
              subscription={subscription}
              onChanged={reload}
              onEdit={() => setAsked({ what: 'edit', subscription })}
              onRemove={() => setAsked({ what: 'remove', subscription })}
            />
          ))}
        </ul>
      ) : null}
      {asked?.what === 'edit' ? (
        <SubscriptionDialog
          subscription={asked.subscription}
          onSaved={reload}
          onClose={() => setAsked(null)}
        />
      ) : null}
      {asked?.what === 'remove' ? (
        <ConfirmAction
          action={action}
          title={t('subscriptions.removeTitle', { name: asked.subscription.name })}
          confirmLabel={t('subscriptions.removeConfirm')}
          onConfirm={() => void remove(asked.subscription)}
          onCancel={() => setAsked(null)}
        >
          {t('subscriptions.removeText')}
        </ConfirmAction>
      ) : null}
    </Part>
  )
}
