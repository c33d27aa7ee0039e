import { Star } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { fullUrl } from '#contract/params.ts'
import type { Settings } from '#contract/settings.ts'
import type { Target } from '#contract/target.ts'
import { outgoingUrl, targetUrl } from '#core/replay/destination.ts'
import { ADDRESS } from '@/shared/components/copy-button.tsx'
import { FormDialog, FormPart } from '@/shared/components/form-dialog.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { isLoopback, shownUrl } from '@/shared/formats/url.ts'
import { useForm } from '@/shared/forms/use-form.tsx'
import { HeaderTable } from '@/shared/headers/header-table.tsx'
import { changeSettings } from '@/shared/live/settings.ts'
import { useStatus } from '@/shared/live/status.ts'
import { urlProblem } from '@/shared/targets/target-choice.ts'
import { targetForm } from './forms.ts'
import { type ItemDialogProps, ListSection, TEXT } from './section.tsx'

export function TargetsSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation('settings')
  const { targets, defaultTarget } = settings
  const setDefault = (name: string | null) => changeSettings('targets.set-default', { name })
  const secretsOf = ({ headers }: Target) => headers.filter(({ secret }) => secret).length
  return (
    <ListSection<Target>
      of="targets"
      items={targets}
      isGuarded={(target) => secretsOf(target) > 0}
      remove={({ name }) => changeSettings('targets.remove', { name })}
      putBack={async (target) => {
        await changeSettings('targets.save', target)
        if (target.name === defaultTarget) await setDefault(target.name)
      }}
      line={(target, { run }) => {
        const { name, headers } = target
        const chosen = name === defaultTarget
        const secrets = secretsOf(target)
        return {
          tags: (
            <>
              {chosen ? <Tag tone="accent">{t('targets.default')}</Tag> : null}
              {target.acceptAnyCertificate ? (
                <Tag tone="warning">{t('targets.anyCertificateTag')}</Tag>
              ) : null}
              {target.keepSecret ? <Tag tone="warning">{t('targets.keepSecretTag')}</Tag> : null}
              {target.keepCredentials ? <Tag tone="warning">{t('targets.keepCredentialsTag')}</Tag> : null}
            </>
          ),
          before: (
            <IconButton
              label={t(chosen ? 'targets.noDefault' : 'targets.setDefault', { name })}
              icon={<Star />}
              pressed={chosen}
              onClick={() => void run(() => setDefault(chosen ? null : name))}
            />
          ),
          address: shownUrl(target.url),
          facts: [
            target.method ?? t('targets.methodReceived'),
            t(`targets.pathWords.${target.path}`),
            headers.length > 0 && t('targets.headerCount', { count: headers.length }),
            secrets > 0 && t('targets.secretCount', { count: secrets }),
            !target.markReplays && t('targets.unmarked'),
          ],
        }
      }}
      dialog={({ item }, close) => <TargetDialog {...{ item, settings }} onClose={close} />}
    />
  )
}

/** Captured path of the example of a resulting URL. */
const EXAMPLE = '/erp/webhooks?source=acct'

/** Form of a target. Secrets go to the host, which never returns them. */
function TargetDialog({ item: target, settings, onClose }: ItemDialogProps<Target>) {
  const { t } = useTranslation(['settings', 'common'])
  const osStore = useStatus((s) => s.info?.capabilities.osSecretStore)
  const others = settings.targets.map(({ name }) => name).filter((name) => name !== target?.name)
  const { draft, change, errorOf, fields, dialog } = useForm({
    form: () => targetForm(target, others, t('targets.keptSecret')),
    texts: ['settings', 'targets'],
    look: ({ url, keepSecret, keepCredentials, acceptAnyCertificate }) => {
      const { hostname } = targetUrl(fullUrl(url))
      const away = urlProblem(url) === null && !isLoopback(hostname)
      const host = { host: hostname }
      return {
        url: { wide: true },
        remove: { placeholder: 'X-Forwarded-For, Cookie' },
        keepSecret: { warning: keepSecret && away && t('targets.keepSecretWarning', host) },
        keepCredentials: { warning: keepCredentials && away && t('targets.keepCredentialsWarning', host) },
        acceptAnyCertificate: { warning: acceptAnyCertificate && t('targets.anyCertificateWarning') },
      }
    },
    async send(params) {
      const first = settings.targets.length === 0
      await changeSettings('targets.save', params)
      if (first) await changeSettings('targets.set-default', { name: params.name })
    },
    onClose,
  })
  return (
    <FormDialog
      width={680}
      title={target ? t('targets.editTitle', { name: target.name }) : t('targets.addTitle')}
      action={t('save')}
      {...dialog}
    >
      {fields(['name', 'url', 'method'], 'path', 'query')}
      {urlProblem(draft.url) === null ? (
        <p className={TEXT}>
          {t('targets.example', { url: EXAMPLE })}{' '}
          <code className={ADDRESS}>{outgoingUrl(targetUrl(fullUrl(draft.url)), draft, EXAMPLE)}</code>
        </p>
      ) : null}
      <FormPart title={t('targets.headers')}>
        <p className={TEXT}>
          {t('targets.headersHint')} {t(osStore ? 'about.secretsSystem' : 'about.secretsFile')}
        </p>
        <HeaderTable
          secrets
          headers={draft.headers}
          onChange={(headers) => change({ headers })}
          errorOf={errorOf}
        />
        {fields('remove')}
      </FormPart>
      <FormPart title={t('targets.timeouts')}>
        {fields(['timeouts.connectMs', 'timeouts.answerMs', 'timeouts.totalMs'])}
      </FormPart>
      <FormPart title={t('targets.safety')}>
        {fields('markReplays', 'keepSecret', 'keepCredentials', 'acceptAnyCertificate')}
      </FormPart>
    </FormDialog>
  )
}
