import { useTranslation } from 'react-i18next'
import { KINDS } from '#catalog/kinds.ts'
import type { Connection } from '#contract/connection.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { FormChoice, FormPart, FormRow } from '@/shared/components/form-dialog.tsx'
import { NumberField } from '@/shared/components/number-field.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { Checkbox, Switch } from '@/shared/components/toggle.tsx'
import { WeakSecrets } from '@/shared/components/weak-secrets.tsx'
import { useStatus } from '@/shared/live/status.ts'
import { type ConnectionDraft, MAPPED_FIELDS } from './connection-form.ts'
import settings from './settings.module.css'

export interface PartProps {
  readonly draft: ConnectionDraft
  readonly change: (part: Partial<ConnectionDraft>) => void
  readonly errorOf: (field: string) => string | null
  readonly connection: Connection | null
}

/** The API key and the plugin's token: typed here, and never shown again. */
export function Secrets({ draft, change, errorOf, connection }: PartProps) {
  const { t } = useTranslation('settings')
  const osStore = useStatus((s) => s.info?.capabilities.osSecretStore)
  const secret = (field: 'apiKey' | 'pluginToken', forgetWords: string) => {
    const place = connection?.[field] ?? 'none'
    const present = draft[field]
    return (
      <div>
        <TextField
          label={t(`connections.${field}`)}
          mono
          type="password"
          autoComplete="new-password"
          placeholder={t(`connections.place.${place}`)}
          value={present.typed}
          onChange={(typed) => change({ [field]: { typed, forget: false } })}
          error={errorOf(field)}
          hint={t(`connections.${field}Hint`)}
        />
        {place === 'stored' ? (
          <Checkbox
            label={forgetWords}
            checked={present.forget}
            disabled={present.typed !== ''}
            onChange={(forget) => change({ [field]: { typed: present.typed, forget } })}
          />
        ) : null}
      </div>
    )
  }
  return (
    <FormPart title={t('connections.secrets')}>
      <p className={settings.text}>
        {t('connections.secretsText')} {t(osStore ? 'about.secretsSystem' : 'about.secretsFile')}
      </p>
      <FormRow>
        {secret('apiKey', t('connections.forgetKey'))}
        {secret('pluginToken', t('connections.forgetToken'))}
      </FormRow>
      <WeakSecrets />
      <FormRow>
        <TextField
          label={t('connections.headerName')}
          mono
          value={draft.headerName}
          onChange={(headerName) => change({ headerName })}
          error={errorOf('headerName')}
          hint={t('connections.headerNameHint')}
        />
        <TextField
          label={t('connections.scheme')}
          mono
          value={draft.scheme}
          onChange={(scheme) => change({ scheme })}
          error={errorOf('scheme')}
          hint={t('connections.schemeHint')}
        />
      </FormRow>
    </FormPart>
  )
}

/** Whose deliveries are compared, and which kinds were asked for. */
export function Belongs({
  draft,
  change,
  errorOf,
  endpoints,
}: PartProps & { readonly endpoints: readonly string[] }) {
  const { t } = useTranslation('settings')
  const named = [...new Set([...endpoints, ...draft.endpoints])]
  const kinds = draft.kinds
  const kindsError = errorOf('kinds')
  const toggled = <T,>(list: readonly T[], one: T, on: boolean) =>
    on ? [...list, one] : list.filter((other) => other !== one)
  return (
    <FormPart title={t('connections.belongs')}>
      <Switch
        label={t('connections.allEndpoints')}
        hint={t('connections.allEndpointsHint')}
        checked={draft.endpoints.length === 0}
        onChange={(all) => change({ endpoints: all ? [] : named.slice(0, 1) })}
      />
      {draft.endpoints.length === 0 ? null : (
        <div className="grid grid-cols-[repeat(auto-fill,minmax(190px,1fr))] gap-x-12 gap-y-4">
          {named.map((name) => (
            <Checkbox
              key={name}
              label={name}
              checked={draft.endpoints.includes(name)}
              onChange={(on) => change({ endpoints: toggled(draft.endpoints, name, on) })}
            />
          ))}
        </div>
      )}
      <Switch
        label={t('connections.allKinds')}
        hint={t('connections.allKindsHint')}
        checked={kinds === null}
        onChange={(all) => change({ kinds: all ? null : KINDS.map(({ kind }) => kind) })}
      />
      {kinds === null ? null : (
        <div className="grid grid-cols-[repeat(auto-fill,minmax(190px,1fr))] gap-x-12 gap-y-4">
          {KINDS.map(({ kind }) => (
            <Checkbox
              key={kind}
              label={kind}
              checked={kinds.includes(kind)}
              onChange={(on) => change({ kinds: toggled(kinds, kind, on) })}
            />
          ))}
        </div>
      )}
      {kindsError === null ? null : (
        <p role="alert" className="text-invalid text-xs leading-[1.4]">
          {kindsError}
        </p>
      )}
      <TextField
        label={t('connections.zone')}
        mono
        className="max-w-320"
        value={draft.zone}
        onChange={(zone) => change({ zone })}
        error={errorOf('zone')}
        hint={t('connections.zoneHint')}
      />
    </FormPart>
  )
}

/** When a document is due, and what may differ. */
export function Comparing({ draft, change, errorOf }: PartProps) {
  const { t } = useTranslation('settings')
  return (
    <FormPart title={t('connections.comparing')}>
      <FormRow>
        <NumberField
          label={t('connections.issuedHours')}
          unit={t('connections.hours')}
          decimals={2}
          value={draft.issuedHours}
          onChange={(issuedHours) => change({ issuedHours })}
          error={errorOf('issuedHours')}
          hint={t('connections.issuedHoursHint')}
        />
        <NumberField
          label={t('connections.returnedMinutes')}
          unit={t('connections.minutes')}
          decimals={2}
          value={draft.returnedMinutes}
          onChange={(returnedMinutes) => change({ returnedMinutes })}
          error={errorOf('returnedMinutes')}
          hint={t('connections.returnedMinutesHint')}
        />
      </FormRow>
      <TextField
        label={t('connections.ignoredFields')}
        mono
        value={draft.ignoredFields}
        onChange={(ignoredFields) => change({ ignoredFields })}
        hint={t('connections.ignoredFieldsHint')}
      />
    </FormPart>
  )
}

/** Where values stand in a sync item, and what its document types are, for items that are not read rightly by themselves. */
export function Mapping({ draft, change, errorOf }: PartProps) {
  const { t } = useTranslation('settings')
  return (
    <FormPart title={t('connections.mapping')}>
      <p className={settings.text}>{t('connections.mappingText')}</p>
      <FormRow>
        {MAPPED_FIELDS.map((field) => (
          <TextField
            key={field}
            label={t(`connections.field.${field}`)}
            mono
            maxLength={500}
            placeholder={t('connections.found')}
            value={draft.mapping[field]}
            onChange={(pointer) => change({ mapping: { ...draft.mapping, [field]: pointer } })}
            error={errorOf(`mapping-${field}`)}
          />
        ))}
      </FormRow>
      <TextField
        label={t('connections.documentTypes')}
        mono
        maxLength={4_000}
        placeholder={t('connections.documentTypesExample')}
        value={draft.documentTypes}
        onChange={(documentTypes) => change({ documentTypes })}
        error={errorOf('documentTypes')}
        hint={t('connections.documentTypesHint')}
      />
      <Switch
        label={t('connections.typesComplete')}
        hint={t('connections.typesCompleteHint')}
        checked={draft.documentTypesComplete}
        onChange={(documentTypesComplete) => change({ documentTypesComplete })}
      />
    </FormPart>
  )
}

/** How the service is reached. */
export function Transport({ draft, change, errorOf }: PartProps) {
  const { t } = useTranslation('settings')
  return (
    <FormPart title={t('connections.transport')}>
      <FormRow>
        {(['connectMs', 'answerMs', 'totalMs'] as const).map((field) => (
          <NumberField
            key={field}
            label={t(`connections.${field}`)}
            unit="ms"
            value={draft[field]}
            onChange={(value) => change({ [field]: value })}
            error={errorOf(field)}
          />
        ))}
      </FormRow>
      <FormChoice<ConnectionDraft['proxy']>
        label={t('connections.proxy')}
        value={draft.proxy}
        onChange={(proxy) => change({ proxy })}
        segments={(['environment', 'none', 'address'] as const).map((value) => ({
          value,
          label: t(`connections.proxies.${value}`),
        }))}
      />
      {draft.proxy === 'address' ? (
        <TextField
          label={t('connections.proxyUrl')}
          mono
          placeholder="http://"
          value={draft.proxyUrl}
          onChange={(proxyUrl) => change({ proxyUrl })}
          error={errorOf('proxyUrl')}
        />
      ) : null}
      <Switch
        label={t('connections.anyCertificate')}
        hint={t('connections.anyCertificateHint')}
        checked={draft.acceptAnyCertificate}
        onChange={(acceptAnyCertificate) => change({ acceptAnyCertificate })}
      />
      {draft.acceptAnyCertificate ? (
        <Banner tone="warning" inset>
          {t('connections.anyCertificateWarning')}
        </Banner>
      ) : null}
    </FormPart>
  )
}
