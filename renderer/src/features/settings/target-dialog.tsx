import { useTranslation } from 'react-i18next'
import type { Settings } from '#contract/settings.ts'
import type { Target } from '#contract/target.ts'
import { outgoingUrl, targetUrl } from '#core/replay/request-url.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { FormChoice, FormDialog, FormPart, FormRow, WIDE } from '@/shared/components/form-dialog.tsx'
import { NumberField } from '@/shared/components/number-field.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { Switch } from '@/shared/components/toggle.tsx'
import { isLoopback } from '@/shared/formats/url.ts'
import { useForm } from '@/shared/forms/use-form.ts'
import { HeaderTable } from '@/shared/headers/header-table.tsx'
import { api } from '@/shared/live/api.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { useStatus } from '@/shared/live/status.ts'
import { fullUrl, urlProblem } from '@/shared/targets/target-choice.ts'
import styles from './settings.module.css'
import { targetForm } from './target-form.ts'

/** What the example of a resulting URL begins with. */
const EXAMPLE = '/erp/webhooks?source=acct'

export interface TargetDialogProps {
  /** Null: a new one. */
  readonly target: Target | null
  readonly settings: Settings
  readonly onClose: () => void
}

/** Where deliveries go, and how. Values of secrets go to the host and never come back. */
export function TargetDialog({ target, settings, onClose }: TargetDialogProps) {
  const { t } = useTranslation(['settings', 'common'])
  const receive = useSettings((s) => s.receive)
  const osStore = useStatus((s) => s.info?.capabilities.osSecretStore)
  const others = settings.targets.map(({ name }) => name).filter((name) => name !== target?.name)
  const { draft, change, errorOf, dialog } = useForm({
    form: () => targetForm(target, others, t('targets.keptSecret')),
    say: (error) => t(`targets.errors.${error}`),
    async send(params) {
      const first = settings.targets.length === 0
      receive(await api.call('targets.save', params))
      if (first) receive(await api.call('targets.set-default', { name: params.name }))
    },
    onSaved: onClose,
  })
  const url = targetUrl(fullUrl(draft.url))
  const known = urlProblem(draft.url) === null
  const away = known && !isLoopback(url.hostname)
  const policy = (what: 'path' | 'query') => (
    <FormChoice<Target['path']>
      label={t(`targets.${what}`)}
      value={draft[what]}
      onChange={(value) => change(what === 'path' ? { path: value } : { query: value })}
      segments={[
        { value: 'target', label: t(`targets.${what}Own`) },
        { value: 'append', label: t(`targets.${what}Append`) },
      ]}
    />
  )
  return (
    <FormDialog
      width={680}
      title={target ? t('targets.editTitle', { name: target.name }) : t('targets.addTitle')}
      action={t('save')}
      {...dialog}
      onClose={onClose}
    >
      <FormRow>
        <TextField
          label={t('targets.name')}
          mono
          maxLength={60}
          value={draft.name}
          onChange={(name) => change({ name })}
          error={errorOf('name')}
          hint={t('targets.nameHint')}
        />
        <TextField
          label="URL"
          mono
          className={WIDE}
          value={draft.url}
          onChange={(text) => change({ url: text })}
          error={errorOf('url')}
        />
        <TextField
          label={t('targets.method')}
          mono
          maxLength={40}
          placeholder={t('targets.asReceived')}
          value={draft.method}
          onChange={(method) => change({ method })}
          error={errorOf('method')}
        />
      </FormRow>
      {policy('path')}
      {policy('query')}
      {known ? (
        <p className={styles.text}>
          {t('targets.example', { url: EXAMPLE })}{' '}
          <code className={styles.url}>{outgoingUrl(url, draft, EXAMPLE)}</code>
        </p>
      ) : null}
      <FormPart title={t('targets.headers')}>
        <p className={styles.text}>
          {t('targets.headersHint')} {t(osStore ? 'about.secretsSystem' : 'about.secretsFile')}
        </p>
        <HeaderTable
          secrets
          headers={draft.headers}
          onChange={(headers) => change({ headers })}
          errorOf={errorOf}
        />
        <TextField
          label={t('targets.remove')}
          mono
          placeholder="X-Forwarded-For, Cookie"
          value={draft.remove}
          onChange={(remove) => change({ remove })}
          error={errorOf('remove')}
          hint={t('targets.removeHint')}
        />
      </FormPart>
      <FormPart title={t('targets.timeouts')}>
        <FormRow>
          {(['connectMs', 'answerMs', 'totalMs'] as const).map((field) => (
            <NumberField
              key={field}
              label={t(`targets.${field}`)}
              unit="ms"
              value={draft[field]}
              onChange={(value) => change({ [field]: value })}
              error={errorOf(field)}
              hint={t(`targets.${field}Hint`)}
            />
          ))}
        </FormRow>
      </FormPart>
      <FormPart title={t('targets.safety')}>
        <Switch
          label={t('targets.mark')}
          hint={t('targets.markHint')}
          checked={draft.markReplays}
          onChange={(markReplays) => change({ markReplays })}
        />
        <Switch
          label={t('targets.keepSecret')}
          hint={t('targets.keepSecretHint')}
          checked={draft.keepSecret}
          onChange={(keepSecret) => change({ keepSecret })}
        />
        {draft.keepSecret && away ? (
          <Banner tone="warning" inset>
            {t('targets.keepSecretWarning', { host: url.hostname })}
          </Banner>
        ) : null}
        <Switch
          label={t('targets.keepCredentials')}
          hint={t('targets.keepCredentialsHint')}
          checked={draft.keepCredentials}
          onChange={(keepCredentials) => change({ keepCredentials })}
        />
        {draft.keepCredentials && away ? (
          <Banner tone="warning" inset>
            {t('targets.keepCredentialsWarning', { host: url.hostname })}
          </Banner>
        ) : null}
        <Switch
          label={t('targets.anyCertificate')}
          hint={t('targets.anyCertificateHint')}
          checked={draft.acceptAnyCertificate}
          onChange={(acceptAnyCertificate) => change({ acceptAnyCertificate })}
        />
        {draft.acceptAnyCertificate ? (
          <Banner tone="warning" inset>
            {t('targets.anyCertificateWarning')}
          </Banner>
        ) : null}
      </FormPart>
    </FormDialog>
  )
}
