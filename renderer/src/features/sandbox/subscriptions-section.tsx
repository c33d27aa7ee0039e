import { Ellipsis, Pencil, Plus, Radio, Trash2, TriangleAlert, Zap } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { KINDS } from '#catalog/kinds.ts'
import {
  type SandboxLogEntry,
  type SandboxSubscription,
  subscription as subscriptionSchema,
  text,
} from '#contract/sandbox.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { FormDialog, FormPart, FormRow, WIDE } from '@/shared/components/form-dialog.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Menu } from '@/shared/components/menu.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import card from '@/shared/components/section-card.module.css'
import { Switch } from '@/shared/components/toggle.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { shownUrl } from '@/shared/formats/url.ts'
import { type HeaderDraft, newHeader, sentHeaderErrors } from '@/shared/headers/header-draft.ts'
import { HeaderTable } from '@/shared/headers/header-table.tsx'
import { api } from '@/shared/live/api.ts'
import { subscribeReceiver, useStatus } from '@/shared/live/status.ts'
import { FormField, useFields } from './field-form.tsx'
import { fieldsOf } from './fields.ts'
import { useKeptList } from './kept-list.tsx'
import { ALL_KINDS, KindsPicker } from './kinds-picker.tsx'
import { Part, ROWS } from './part.tsx'
import { Answered, OutcomeMark } from './run-result.tsx'
import styles from './sandbox.module.css'

const FIELDS = fieldsOf(
  subscriptionSchema.pick({ url: true, method: true }).extend({ name: text.exactOptional() }),
  { url: { type: 'url', maxLength: 8_192 }, name: { type: 'name', maxLength: 200 } },
)
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|.+\.localhost)$/

/** Authentication, rule 2: HTTPS should always be used; a computer's own address never leaves it. */
export function isPlainBeyondLoopback(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'http:' && !LOOPBACK.test(hostname)
}

/** Who is sent which events. */
export function SubscriptionsSection() {
  const { t } = useTranslation('sandbox')
  const receiver = useStatus((s) => s.status?.receiver)
  const kept = useKeptList<SandboxSubscription>({
    known: (state) => state.subscriptions,
    read: async () => (await api.call('sandbox.subscriptions', {})).subscriptions,
    remove: ({ id }) => api.call('sandbox.remove-subscription', { id }),
    asks: { title: 'removeTitle', text: 'subscriptions.removeText', confirm: 'remove' },
  })
  const { items: list, action, reload } = kept
  const url = receiver?.state === 'listening' ? receiver.url : null
  const subscribed = list?.some((one) => one.url === url) ?? true
  const buttons = (
    <>
      {url === null || subscribed ? null : (
        <Button
          variant={list?.length === 0 ? 'primary' : 'default'}
          icon={<Radio />}
          onClick={() => void action.run(async () => subscribeReceiver(url).then(reload))}
        >
          {t('subscriptions.addReceiver')}
        </Button>
      )}
      <Button icon={<Plus />} onClick={() => kept.edit(null)}>
        {t('subscriptions.addTitle')}
      </Button>
    </>
  )
  return (
    <Part
      title={t('subscriptions.title')}
      lead={t('subscriptions.lead')}
      actions={
        list && list.length > 0 ? <div className="flex flex-wrap items-center gap-8">{buttons}</div> : null
      }
    >
      {kept.refused}
      {list?.length === 0 ? (
        <div className={card.card}>
          <EmptyState icon={<Radio />} title={t('subscriptions.empty')} actions={buttons}>
            {t(url === null ? 'subscriptions.emptyOff' : 'subscriptions.emptyText')}{' '}
            {url === null ? null : (
              <code className="text-fg-3 code-s [font-variant-ligatures:none] wrap-anywhere select-text">
                {url}
              </code>
            )}
          </EmptyState>
        </div>
      ) : null}
      {list && list.length > 0 ? (
        <ul className={cx(card.card, ROWS)}>
          {list.map((subscription) => (
            <SubscriptionRow
              key={subscription.id}
              subscription={subscription}
              onChanged={reload}
              onEdit={() => kept.edit(subscription)}
              onRemove={() => kept.askRemoval(subscription)}
            />
          ))}
        </ul>
      ) : null}
      {kept.edited === undefined ? null : (
        <SubscriptionDialog subscription={kept.edited} onSaved={reload} onClose={kept.close} />
      )}
      {kept.question}
    </Part>
  )
}

interface SubscriptionRowProps {
  readonly subscription: SandboxSubscription
  readonly onChanged: () => Promise<void>
  readonly onEdit: () => void
  readonly onRemove: () => void
}

/** A subscription with its switch, and its connectivity test with the answer. */
function SubscriptionRow({ subscription, onChanged, onEdit, onRemove }: SubscriptionRowProps) {
  const { t } = useTranslation('sandbox')
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
  const facts = [
    active ? null : t('subscriptions.inactive'),
    method,
    kinds.length === KINDS.length
      ? t('subscriptions.allKinds')
      : kinds.length === 0
        ? t('subscriptions.noKinds')
        : t('subscriptions.someKinds', { count: kinds.length }),
    headers.length > 0 ? t('subscriptions.headersOf', { count: headers.length }) : null,
  ]
  return (
    <li className="grid gap-3 pt-11 pr-12 pb-11 pl-16 not-first:border-t not-first:border-line-soft">
      <div className="flex items-center gap-8">
        <Switch label={t('active', { name })} hideLabel checked={active} onChange={(on) => void turn(on)} />
        <span className="min-w-0 overflow-hidden body-m font-medium text-ellipsis whitespace-nowrap">
          {name}
        </span>
        <span className="flex-1" />
        <Button
          icon={<Zap />}
          busy={testing.busy}
          onClick={() => void test()}
          aria-label={t('subscriptions.testNamed', { name })}
        >
          {t('subscriptions.test')}
        </Button>
        <IconButton label={t('edit', { name })} icon={<Pencil />} onClick={onEdit} />
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
      {name === url ? null : (
        <p className="text-fg-3 code-s [font-variant-ligatures:none] wrap-anywhere select-text">
          {shownUrl(url)}
        </p>
      )}
      <p className={cx(styles.facts, 'flex flex-wrap gap-x-8 text-fg-3 text-s tabular-nums')}>
        {facts.map((fact) => (fact === null ? null : <span key={fact}>{fact}</span>))}
      </p>
      {isPlainBeyondLoopback(url) ? (
        <p className="flex items-baseline gap-6 text-warning text-s">
          <TriangleAlert size={13} aria-hidden="true" />
          {t('subscriptions.plainHttp')}
        </p>
      ) : null}
      {testing.busy || tested ? (
        <p className="flex flex-wrap items-baseline gap-x-10 gap-y-2 min-h-20 text-s" role="status">
          {testing.busy || !tested ? (
            t('subscriptions.testing')
          ) : (
            <>
              <OutcomeMark outcome={tested.outcome} />
              <Answered entry={tested} />
              {tested.error === null ? null : <span className="text-fg-2">{tested.error}</span>}
            </>
          )}
        </p>
      ) : null}
      <Refused refusal={switching.refusal ?? testing.refusal} />
    </li>
  )
}

interface SubscriptionDialogProps {
  /** null: a new one. */
  readonly subscription: SandboxSubscription | null
  readonly onSaved: () => Promise<void>
  readonly onClose: () => void
}

const draftOf = ({ name, value, masked }: SandboxSubscription['headers'][number]): HeaderDraft =>
  newHeader(masked ? { name, kept: value, secret: true } : { name, value })

/** Where to, how and what. Nothing typed is lost when the sandbox refuses. */
function SubscriptionDialog({ subscription, onSaved, onClose }: SubscriptionDialogProps) {
  const { t } = useTranslation('sandbox')
  const { name, url, method } = subscription ?? { name: '', url: '', method: 'POST' }
  const form = useFields(FIELDS, { name: name === url ? '' : name, url, method })
  const [headers, setHeaders] = useState<readonly HeaderDraft[]>(subscription?.headers.map(draftOf) ?? [])
  const [kinds, setKinds] = useState(subscription?.kinds ?? ALL_KINDS)
  const [active, setActive] = useState(subscription?.active ?? true)
  const wrongHeaders = sentHeaderErrors(headers)
  const typedUrl = (form.typed.url ?? '').trim()
  const save = async () => {
    const done = await form.submit(async ({ url, ...args }) => {
      await api.call('sandbox.save-subscription', {
        ...(subscription ? { id: subscription.id } : {}),
        ...{ name: url.slice(0, 200), ...args, url, active },
        kinds: [...kinds],
        headers: headers.map((one) => ({
          name: one.name,
          // What was not typed again stays as it is.
          value: one.kept !== null && one.value === '' ? null : one.value,
        })),
      })
      await onSaved()
    }, wrongHeaders.size === 0)
    if (done) onClose()
  }
  return (
    <FormDialog
      width={700}
      title={subscription ? t('editTitle', { name }) : t('subscriptions.addTitle')}
      action={t('save')}
      busy={form.action.busy}
      refusal={form.refusal}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <FormRow>
        <FormField
          form={form}
          name="url"
          label={t('subscriptions.url')}
          className={WIDE}
          placeholder="https://example.com/hook"
        />
        <FormField
          form={form}
          name="method"
          label={t('subscriptions.method')}
          hint={form.typed.method === 'GET' ? t('subscriptions.getHint') : undefined}
        />
      </FormRow>
      {isPlainBeyondLoopback(typedUrl) ? (
        <Banner tone="warning" inset>
          {t('subscriptions.plainHttp')}
        </Banner>
      ) : null}
      <FormField form={form} name="name" label={t('name')} hint={t('subscriptions.nameHint')} />
      <Switch
        label={t('activeLabel')}
        hint={t('subscriptions.activeHint')}
        checked={active}
        onChange={setActive}
      />
      <FormPart title={t('subscriptions.headers')}>
        <HeaderTable
          headers={headers}
          onChange={setHeaders}
          errorOf={(place) => {
            const error = form.tried ? wrongHeaders.get(place) : undefined
            return error === undefined ? null : t(`subscriptions.errors.${error}`)
          }}
        />
      </FormPart>
      <FormPart title={t('kinds.legend')}>
        <KindsPicker value={kinds} onChange={setKinds} />
      </FormPart>
    </FormDialog>
  )
}
