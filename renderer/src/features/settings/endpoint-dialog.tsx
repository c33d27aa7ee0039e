import { useTranslation } from 'react-i18next'
import type { Endpoint, Settings } from '#contract/settings.ts'
import type { HostStatus } from '#contract/status.ts'
import { FormDialog, FormPart, FormRow, WIDE } from '@/shared/components/form-dialog.tsx'
import { NumberField } from '@/shared/components/number-field.tsx'
import { TextArea, TextField } from '@/shared/components/text-field.tsx'
import { Switch } from '@/shared/components/toggle.tsx'
import { useForm } from '@/shared/forms/use-form.ts'
import { HeaderTable } from '@/shared/headers/header-table.tsx'
import { api } from '@/shared/live/api.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { endpointForm } from './endpoint-form.ts'
import { endpointUrl } from './endpoint-url.ts'

export interface EndpointDialogProps {
  /** null: a new one. */
  readonly endpoint: Endpoint | null
  readonly settings: Settings
  readonly status: HostStatus
  readonly onClose: () => void
}

/** Name, path and answer of an endpoint. Nothing typed is lost when the host refuses. */
export function EndpointDialog({ endpoint, settings, status, onClose }: EndpointDialogProps) {
  const { t } = useTranslation(['settings', 'common'])
  const receive = useSettings((s) => s.receive)
  const others = settings.endpoints.filter((e) => e.name !== endpoint?.name)
  const { draft, change, errorOf, dialog } = useForm({
    form: () => endpointForm(endpoint, others),
    say: (error) => t(`endpoints.errors.${error}`),
    send: async (params) => receive(await api.call('endpoints.save', params)),
    onSaved: onClose,
  })
  return (
    <FormDialog
      width={600}
      title={endpoint ? t('endpoints.editTitle', { name: endpoint.name }) : t('endpoints.addTitle')}
      action={t('save')}
      {...dialog}
      onClose={onClose}
    >
      <FormRow>
        <TextField
          label={t('endpoints.name')}
          mono
          maxLength={60}
          value={draft.name}
          onChange={(name) => change({ name })}
          error={errorOf('name')}
          hint={t('endpoints.nameHint')}
        />
        <TextField
          label={t('endpoints.path')}
          mono
          className={WIDE}
          value={draft.path}
          disabled={endpoint?.path === '/'}
          onChange={(path) => change({ path })}
          error={errorOf('path')}
          hint={endpoint?.path === '/' ? t('endpoints.pathDefault') : t('endpoints.pathHint')}
        />
      </FormRow>
      <p className="-mt-8 text-fg-3 code-s [font-variant-ligatures:none] wrap-anywhere">
        {endpointUrl(settings, status, draft.path)}
      </p>
      <Switch
        label={t('endpoints.enabled')}
        hint={t('endpoints.enabledHint')}
        checked={draft.enabled}
        onChange={(enabled) => change({ enabled })}
      />
      <FormPart title={t('endpoints.answer')}>
        <FormRow>
          <NumberField
            label={t('endpoints.status')}
            value={draft.status}
            onChange={(status) => change({ status })}
            error={errorOf('status')}
            hint={
              draft.status !== null && (draft.status < 200 || draft.status > 299)
                ? t('endpoints.statusLost')
                : t('endpoints.statusHint')
            }
          />
          <NumberField
            label={t('endpoints.delay')}
            unit="ms"
            value={draft.delayMs}
            onChange={(delayMs) => change({ delayMs })}
            error={errorOf('delay')}
            hint={t('endpoints.delayHint')}
          />
        </FormRow>
        {draft.headers.length > 0 ? (
          <span className="-mb-6 text-fg-2 label-s">{t('endpoints.headers')}</span>
        ) : null}
        <HeaderTable headers={draft.headers} onChange={(headers) => change({ headers })} errorOf={errorOf} />
        <TextArea
          label={t('endpoints.body')}
          mono
          rows={4}
          value={draft.body}
          onChange={(body) => change({ body })}
          error={errorOf('body')}
        />
      </FormPart>
    </FormDialog>
  )
}
