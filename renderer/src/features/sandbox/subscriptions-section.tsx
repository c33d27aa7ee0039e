import { Plus, Radio, TriangleAlert, Zap } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DELIVERY_METHODS } from '#catalog/service.ts'
import { fullUrl } from '#contract/params.ts'
import type { SandboxLogEntry, SandboxSubscription } from '#contract/sandbox.ts'
import { addressProblem } from '#core/connect/reach.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { FormDialog, FormPart } from '@/shared/components/form-dialog.tsx'
import { useItems } from '@/shared/components/item-list.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { CARD } from '@/shared/components/section-card.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { shownUrl } from '@/shared/formats/url.ts'
import type { Form } from '@/shared/forms/form.ts'
import { useForm } from '@/shared/forms/use-form.tsx'
import { type HeaderDraft, HeaderTable, newHeader, sentHeaderErrors } from '@/shared/headers/header-table.tsx'
import { api } from '@/shared/live/api.ts'
import { subscribeReceiver, useStatus } from '@/shared/live/status.ts'
import { urlProblem } from '@/shared/targets/target-choice.ts'
import { ALL_KINDS, KindsPicker, kindsWord } from './kinds-picker.tsx'
import { Part } from './part.tsx'
import { Outcome } from './run-result.tsx'
import { useKept } from './sandbox.ts'

export function SubscriptionsSection() {
  const { t } = useTranslation('sandbox')
  const receiver = useStatus((s) => s.status?.receiver)
  const { data, refusal, changed } = useKept('subscriptions', () => api.call('sandbox.subscriptions', {}))
  const items = data?.subscriptions ?? []
  const list = useItems<SandboxSubscription>({
    items,
    say: (word, of) => t(`subscriptions.${word}`, of),
    enabled: {
      of: ({ active }) => active,
      set: ({ id }, active) => api.call('sandbox.save-subscription', { id, active }).then(changed),
    },
    line: ({ id, name, url, method, headers, kinds: { length: count }, active }) => ({
      address: name === url ? null : shownUrl(url),
      facts: [
        !active && t('subscriptions.inactive'),
        method,
        t(`subscriptions.${kindsWord(count)}`, { count }),
        headers.length > 0 && t('subscriptions.headersOf', { count: headers.length }),
      ],
      more: <Connectivity id={id} name={name} url={url} />,
    }),
    dialog: ({ item }, close) => <SubscriptionDialog subscription={item} onSaved={changed} onClose={close} />,
    remove: ({ id }) => api.call('sandbox.remove-subscription', { id }).then(changed),
  })
  const url = receiver?.state === 'listening' ? receiver.url : null
  const buttons = (
    <>
      {url === null || !data || items.some((one) => one.url === url) ? null : (
        <Button
          variant={items.length === 0 ? 'primary' : 'default'}
          icon={<Radio />}
          onClick={() => void list.action.run(async () => subscribeReceiver(url).then(changed))}
        >
          {t('subscriptions.addReceiver')}
        </Button>
      )}
      <Button icon={<Plus />} onClick={list.add}>
        {t('subscriptions.add')}
      </Button>
    </>
  )
  return (
    <Part
      name="subscriptions"
      actions={items.length > 0 ? <div className="flex flex-wrap items-center gap-8">{buttons}</div> : null}
    >
      <Refused refusal={refusal} />
      {data ? (
        <div className={cx(CARD, '[&_li:first-child]:pt-0 [&_li:first-child]:border-t-0')}>
          {items.length > 0 ? (
            list.rows
          ) : (
            <EmptyState icon={<Radio />} title={t('subscriptions.empty')} actions={buttons}>
              {t(url === null ? 'subscriptions.emptyOff' : 'subscriptions.emptyText')}{' '}
              {url === null ? null : (
                <code className="text-fg-3 code-s [font-variant-ligatures:none] wrap-anywhere select-text">
                  {url}
                </code>
              )}
            </EmptyState>
          )}
        </div>
      ) : null}
      {list.asking}
    </Part>
  )
}

function Connectivity({ id, name, url }: Pick<SandboxSubscription, 'id' | 'name' | 'url'>) {
  const { t } = useTranslation('sandbox')
  const [tested, setTested] = useState<SandboxLogEntry | null>(null)
  const testing = useAction()
  const test = () => testing.run(async () => setTested(await api.call('sandbox.test-subscription', { id })))
  return (
    <>
      {addressProblem(url) === 'plain' ? (
        <p className="flex items-baseline gap-6 text-warning text-s">
          <TriangleAlert size={13} aria-hidden="true" />
          {t('subscriptions.plainHttp')}
        </p>
      ) : null}
      <div className="flex flex-wrap items-center gap-x-10 gap-y-2 mt-4 text-s">
        <Button
          small
          icon={<Zap />}
          busy={testing.busy}
          onClick={() => void test()}
          aria-label={t('subscriptions.testNamed', { name })}
        >
          {t('subscriptions.test')}
        </Button>
        <span className="flex flex-wrap items-baseline gap-x-10 gap-y-2" role="status">
          {testing.busy ? t('subscriptions.testing') : tested ? <Outcome entry={tested} /> : null}
        </span>
      </div>
      <Refused refusal={testing.refusal} />
    </>
  )
}

type SubscriptionDraft = Pick<SandboxSubscription, 'name' | 'url' | 'method' | 'kinds' | 'active'> & {
  readonly headers: readonly HeaderDraft[]
}

/** Form of a subscription; a refusal keeps the input. */
function SubscriptionDialog(props: {
  readonly subscription: SandboxSubscription | null
  readonly onSaved: () => Promise<void>
  readonly onClose: () => void
}) {
  const { subscription, onSaved, onClose } = props
  const { t } = useTranslation('sandbox')
  const { name, url, method, kinds, active, headers }: Omit<SandboxSubscription, 'id' | 'warnings'> =
    subscription ?? { name: '', url: '', method: 'POST', kinds: ALL_KINDS, active: true, headers: [] }
  const { draft, change, errorOf, fields, dialog } = useForm({
    form: (): Form<'sandbox.save-subscription', SubscriptionDraft> => ({
      command: 'sandbox.save-subscription',
      first: {
        name: name === url ? '' : name,
        url,
        method,
        kinds,
        active,
        headers: headers.map(({ name, value, masked }) =>
          newHeader(masked ? { name, kept: value, secret: true } : { name, value }),
        ),
      },
      params: ({ name, url, headers, ...rest }) => ({
        ...(subscription && { id: subscription.id }),
        ...rest,
        url,
        name: name.trim() || fullUrl(url).slice(0, 200),
        headers: headers.map(({ name, kept, value }) => ({
          name,
          // Null keeps a secret that the user did not type again.
          value: kept !== null && value === '' ? null : value,
        })),
      }),
      *own({ url, headers }) {
        yield* sentHeaderErrors(headers)
        const problem = urlProblem(url)
        if (problem) yield ['url', problem]
      },
    }),
    texts: ['sandbox', 'subscriptions'],
    look: ({ url, method }) => ({
      url: {
        wide: true,
        placeholder: 'https://example.com/hook',
        warning: addressProblem(url) === 'plain' && t('subscriptions.plainHttp'),
      },
      method: {
        options: DELIVERY_METHODS.map((value) => ({ value, label: value })),
        hint: method === 'GET' ? t('subscriptions.getHint') : undefined,
      },
    }),
    onSaved,
    onClose,
  })
  return (
    <FormDialog
      width={700}
      title={subscription ? t('subscriptions.editTitle', { name }) : t('subscriptions.add')}
      action={t('save')}
      {...dialog}
    >
      {fields(['url', 'method'], 'name', 'active')}
      <FormPart title={t('subscriptions.headers')}>
        <HeaderTable headers={draft.headers} onChange={(headers) => change({ headers })} errorOf={errorOf} />
      </FormPart>
      <FormPart title={t('kinds.legend')}>
        <KindsPicker value={draft.kinds} onChange={(kinds) => change({ kinds })} />
      </FormPart>
    </FormDialog>
  )
}
