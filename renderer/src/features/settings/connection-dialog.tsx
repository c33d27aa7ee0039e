import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { KINDS } from '#catalog/kinds.ts'
import {
  type Connection,
  type GivenConnection,
  type ItemMapping,
  MAPPED_FIELDS,
  type MappedField,
} from '#contract/connection.ts'
import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import { fullUrl } from '#contract/params.ts'
import type { ConnectionTest } from '#contract/reconcile.ts'
import { addressProblem } from '#core/connect/reach.ts'
import { documentTypesText, readDocumentTypes } from '#core/reconcile/documents.ts'
import { Button } from '@/shared/components/button.tsx'
import { FormDialog, FormPart, FormRow } from '@/shared/components/form-dialog.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Checkbox, Switch } from '@/shared/components/toggle.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { WeakSecrets } from '@/shared/components/weak-secrets.tsx'
import type { Form, Typed } from '@/shared/forms/form.ts'
import { useForm } from '@/shared/forms/use-form.tsx'
import { api } from '@/shared/live/api.ts'
import { useScheduling } from '@/shared/live/layers.ts'
import { keepSettings } from '@/shared/live/settings.ts'
import { useStatus } from '@/shared/live/status.ts'
import { urlProblem } from '@/shared/targets/target-choice.ts'
import { TestResult } from './connection-test.tsx'
import { namesIn } from './forms.ts'
import { type ItemDialogProps, TEXT } from './section.tsx'

const named = (value: string) => ({ value, label: value })

const ACCOUNT = [
  'name',
  'baseUrl',
  'apiKey.typed',
  'pluginToken.typed',
  'pluginHeader.name',
  'pluginHeader.scheme',
] as const

/** Form of a connection; the host never returns its secrets. A new one takes two steps, account and scope; an existing one shows both. */
export function ConnectionDialog({ item: connection, settings, onClose }: ItemDialogProps<Connection>) {
  const { t } = useTranslation(['settings', 'schedules'])
  const osStore = useStatus((s) => s.info?.capabilities.osSecretStore)
  const others = settings.connections.map(({ name }) => name).filter((name) => name !== connection?.name)
  const endpoints = [
    ...new Set([...settings.endpoints.map(({ name }) => name), ...(connection?.endpoints ?? [])]),
  ]
  const [step, setStep] = useState<1 | 2>(1)
  const [scheduled, setScheduled] = useState(false)
  const { draft, change, check, draw, errorOf, fields, params, dialog } = useForm({
    form: () => connectionForm(connection, others),
    texts: ['settings', 'connections'],
    look: ({ baseUrl, acceptAnyCertificate }) => {
      const secret = (name: 'apiKey' | 'pluginToken') => ({
        type: 'password',
        autoComplete: 'new-password',
        placeholder: t(`connections.place.${connection?.[name] ?? 'none'}`),
      })
      return {
        baseUrl: {
          wide: true,
          placeholder: 'https://',
          warning: addressProblem(baseUrl) === 'plain' && t('connections.plainWarning'),
        },
        'apiKey.typed': secret('apiKey'),
        'pluginToken.typed': secret('pluginToken'),
        endpoints: { options: endpoints.map(named) },
        kinds: { options: KINDS.map(({ kind }) => named(kind)) },
        zone: { className: 'max-w-320' },
        'notYetDue.issuedHours': { decimals: 2 },
        'notYetDue.returnedMinutes': { decimals: 2 },
        proxyUrl: { placeholder: 'http://' },
        acceptAnyCertificate: { warning: acceptAnyCertificate && t('connections.anyCertificateWarning') },
      }
    },
    onSaved: (saved) => {
      keepSettings(saved)
      if (scheduled) useScheduling.getState().open(draft.name)
    },
    onClose,
  })
  const isNew = connection === null
  // When a save fails because of a field of step 1, go back to it.
  if (step === 2 && ACCOUNT.some((field) => errorOf(field) !== null)) setStep(1)
  const part = useRef<HTMLDivElement>(null)
  const shown = useRef(step)
  // The focused field disappeared with its step; without this a second Enter would press the button again.
  useEffect(() => {
    if (shown.current !== step) part.current?.focus()
    shown.current = step
  }, [step])
  const next = () => {
    if (check(ACCOUNT)) setStep(2)
  }
  const saveNow = () => (params ? void dialog.onSubmit() : next())
  const stepping = isNew && step === 1
  return (
    <FormDialog
      width={680}
      title={connection ? t('connections.editTitle', { name: connection.name }) : t('connections.addTitle')}
      {...(isNew ? { description: t(`connections.step${step}`) } : {})}
      {...dialog}
      action={t(stepping ? 'connections.next' : 'save')}
      onSubmit={stepping ? next : () => void dialog.onSubmit()}
      more={
        isNew ? (
          stepping ? (
            <Button onClick={saveNow}>{t('connections.saveNow')}</Button>
          ) : (
            <Button onClick={() => setStep(1)}>{t('connections.back')}</Button>
          )
        ) : null
      }
    >
      <div ref={part} tabIndex={-1} className="grid grid-cols-1 gap-14 outline-none">
        {isNew && step === 2 ? null : (
          <>
            {fields(['name', 'baseUrl'])}
            <FormPart title={t('connections.secrets')}>
              <p className={TEXT}>
                {t('connections.secretsText')} {t(osStore ? 'about.secretsSystem' : 'about.secretsFile')}
              </p>
              <FormRow>
                {(['apiKey', 'pluginToken'] as const).map((name) => (
                  <div key={name}>
                    {draw(`${name}.typed`)}
                    {connection?.[name] === 'stored' ? (
                      <Checkbox
                        label={t(name === 'apiKey' ? 'connections.forgetKey' : 'connections.forgetToken')}
                        checked={draft[name].forget && draft[name].typed === ''}
                        disabled={draft[name].typed !== ''}
                        onChange={(forget) => change({ [name]: { ...draft[name], forget } })}
                      />
                    ) : null}
                  </div>
                ))}
              </FormRow>
              <WeakSecrets />
              {fields(['pluginHeader.name', 'pluginHeader.scheme'])}
            </FormPart>
            <AccountTest params={params} onCheck={() => check(ACCOUNT)} />
          </>
        )}
        {stepping ? null : (
          <>
            <FormPart title={t('connections.belongs')}>
              <Switch
                label={t('connections.allEndpoints')}
                hint={t('connections.allEndpointsHint')}
                checked={draft.endpoints.length === 0}
                onChange={(all) => change({ endpoints: all ? [] : endpoints.slice(0, 1) })}
              />
              {draft.endpoints.length === 0 ? null : draw('endpoints')}
              <Switch
                label={t('connections.allKinds')}
                hint={t('connections.allKindsHint')}
                checked={draft.kinds === null}
                onChange={(all) => change({ kinds: all ? null : KINDS.map(({ kind }) => kind) })}
              />
              {draft.kinds === null ? null : draw('kinds')}
              {fields('zone')}
            </FormPart>
            {isNew ? (
              <FormPart title={t('schedules:title')}>
                <Switch
                  label={t('connections.schedule')}
                  hint={t('connections.scheduleHint')}
                  checked={scheduled}
                  onChange={setScheduled}
                />
              </FormPart>
            ) : null}
            <FormPart title={t('connections.comparing')}>
              {fields(['notYetDue.issuedHours', 'notYetDue.returnedMinutes'], 'ignoredFields')}
            </FormPart>
            <FormPart title={t('connections.mapping')}>
              <p className={TEXT}>{t('connections.mappingText')}</p>
              {fields(
                MAPPED_FIELDS.map((name) => `mapping.${name}` as const),
                'documentTypes',
                'documentTypesComplete',
              )}
            </FormPart>
            <FormPart title={t('connections.transport')}>
              {fields(['timeouts.connectMs', 'timeouts.answerMs', 'timeouts.totalMs'], 'proxy')}
              {draft.proxy === 'address' ? fields('proxyUrl') : null}
              {fields('acceptAnyCertificate')}
            </FormPart>
          </>
        )}
      </div>
    </FormDialog>
  )
}

interface AccountTestProps {
  /** Undefined while the form is invalid. */
  readonly params: GivenConnection | undefined
  readonly onCheck: () => unknown
}

/** Tests the connection with the form's values without saving them. The next change clears the result. */
function AccountTest({ params, onCheck }: AccountTestProps) {
  const { t } = useTranslation('settings')
  const action = useAction()
  const [told, setTold] = useState<{ readonly result: ConnectionTest; readonly about: string } | null>(null)
  const about = JSON.stringify(params)
  const test = async () => {
    setTold(null)
    if (!params) return void onCheck()
    await action.run(async () => {
      const asked = { name: params.name, route: 'accounting', as: params } as const
      setTold({ result: await api.call('connections.test', asked), about })
    })
  }
  return (
    <FormPart title={t('connections.testPart')}>
      <div className="flex items-center gap-10">
        <Button busy={action.busy} onClick={() => void test()}>
          {t('connections.testNow')}
        </Button>
        <span className="text-fg-2 text-s">{t('connections.testText')}</span>
      </div>
      <Refused refusal={action.refusal} />
      {told && told.about === about ? (
        // In a low window the result would be out of view.
        <div className="grid gap-10" ref={(drawn) => drawn?.scrollIntoView({ block: 'nearest' })}>
          <TestResult result={told.result} />
        </div>
      ) : null}
    </FormPart>
  )
}

/** A secret in the form. The host never returns the stored value; the user replaces or removes it. */
const NO_CREDENTIAL = { typed: '', forget: false }

/** Means that the items have no such field. */
const NO_FIELD = '-'
/** Means the item itself, whose pointer is empty: the accounting fields are flat on it. */
const ON_ITEM = '.'

function connectionDraft(connection: Connection | null) {
  const from = connection ?? { ...DEFAULT_CONNECTION, name: '', baseUrl: '' }
  const numbers: Typed<Pick<Connection, 'timeouts' | 'notYetDue'>> = from
  const proxy = from.proxy === 'environment' || from.proxy === 'none' ? from.proxy : ('address' as const)
  const pointer = (field: MappedField): string => {
    const given = from.mapping?.[field]
    if (given === '') return ON_ITEM
    return given === undefined ? '' : (given ?? NO_FIELD)
  }
  return {
    ...from,
    ...numbers,
    apiKey: NO_CREDENTIAL,
    pluginToken: NO_CREDENTIAL,
    proxy,
    proxyUrl: proxy === 'address' ? from.proxy : '',
    ignoredFields: from.ignoredFields.join(', '),
    /** Pointers. Empty: detect the field; `-`: the items have none; `.`: its fields are flat on the item. */
    mapping: Object.fromEntries(MAPPED_FIELDS.map((field) => [field, pointer(field)])) as Record<
      MappedField,
      string
    >,
    /** As typed: `31=factura, 34=nota_credito`. */
    documentTypes: documentTypesText(from.documentTypes),
  }
}

type ConnectionDraft = ReturnType<typeof connectionDraft>

const TYPES_ERRORS = {
  form: 'typesForm',
  id: 'typesForm',
  group: 'typesGroup',
  twice: 'typesTwice',
  many: 'typesMany',
} as const

/** An absent member keeps the stored value, null removes it. */
function credentials(draft: ConnectionDraft) {
  const changed = (['apiKey', 'pluginToken'] as const).filter(
    (name) => draft[name].typed !== '' || draft[name].forget,
  )
  return Object.fromEntries(changed.map((name) => [name, draft[name].typed || null]))
}

function mappingOf(draft: ConnectionDraft): Partial<ItemMapping> | null {
  const corrected = MAPPED_FIELDS.flatMap((field) => {
    const typed = draft.mapping[field].trim()
    if (typed === '') return []
    return [[field, typed === NO_FIELD ? null : typed === ON_ITEM ? '' : typed] as const]
  })
  return corrected.length === 0 ? null : Object.fromEntries(corrected)
}

export const connectionForm = (
  connection: Connection | null,
  others: readonly string[],
): Form<'connections.save', ConnectionDraft> => ({
  command: 'connections.save',
  first: connectionDraft(connection),
  params: (draft) => {
    const { apiKey: _, pluginToken: __, proxyUrl, ...rest } = draft
    const types = readDocumentTypes(draft.documentTypes)
    return {
      ...rest,
      ...(connection ? { previousName: connection.name } : {}),
      ...credentials(draft),
      kinds: draft.kinds?.length === KINDS.length ? null : draft.kinds,
      zone: draft.zone.trim(),
      baseUrl: fullUrl(draft.baseUrl).replace(/\/+$/, ''),
      proxy: draft.proxy === 'address' ? fullUrl(proxyUrl) : draft.proxy,
      mapping: mappingOf(draft),
      documentTypes: 'problem' in types ? [] : types.types,
      ignoredFields: namesIn(draft.ignoredFields),
    }
  },
  places: () => ({
    apiKey: ['apiKey.typed', 'secret'],
    pluginToken: ['pluginToken.typed', 'secret'],
    proxy: ['proxyUrl', 'proxyUrl'],
  }),
  *own(draft) {
    if (others.includes(draft.name)) yield ['name', 'nameTaken']
    const url = urlProblem(draft.baseUrl)
    if (url) yield ['baseUrl', url]
    // Copying can add a blank at an end, and no key contains one.
    for (const field of ['apiKey', 'pluginToken'] as const)
      if (draft[field].typed !== draft[field].typed.trim()) yield [`${field}.typed`, 'secret']
    if (draft.kinds?.length === 0) yield ['kinds', 'kinds']
    const types = readDocumentTypes(draft.documentTypes)
    if ('problem' in types) yield ['documentTypes', TYPES_ERRORS[types.problem]]
    else if (types.types.length === 0 && draft.documentTypesComplete) yield ['documentTypes', 'typesNone']
  },
})
