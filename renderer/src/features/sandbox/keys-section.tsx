import { KeyRound, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SandboxKey } from '#contract/sandbox.ts'
import { Button } from '@/shared/components/button.tsx'
import { ConfirmAction } from '@/shared/components/confirm-action.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { SectionCard } from '@/shared/components/section-card.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { api } from '@/shared/live/api.ts'
import styles from './keys.module.css'
import { useNameError } from './name-error.ts'
import { OnceShown } from './once-shown.tsx'
import { Part } from './part.tsx'
import { PluginsCard } from './plugins-card.tsx'
import common from './sandbox.module.css'
import { useSandbox } from './sandbox.ts'
import { useKeptList } from './use-kept-list.ts'

const read = async () => (await api.call('sandbox.keys', {})).keys

/** What the public routes accept: API keys for the sync routes, plugins with tokens of their own. */
export function KeysSection() {
  const { t } = useTranslation('sandbox')
  return (
    <Part title={t('keys.title')} lead={t('keys.lead')}>
      <KeysCard />
      <PluginsCard />
    </Part>
  )
}

function KeysCard() {
  const { t } = useTranslation('sandbox')
  const format = useFormat()
  const known = useSandbox((s) => s.state?.keys)
  const [name, setName] = useState('')
  const [issued, setIssued] = useState<(SandboxKey & { readonly key: string }) | null>(null)
  const [asked, setAsked] = useState<SandboxKey | null>(null)
  const action = useAction()
  const { items: keys, refusal, reload } = useKeptList(known, read)
  const issue = () =>
    action.run(async () => {
      const given = name.trim()
      setIssued(await api.call('sandbox.issue-key', given === '' ? {} : { name: given }))
      setName('')
      await reload()
    })
  const revoke = async ({ id }: SandboxKey) => {
    const done = await action.run(async () => {
      await api.call('sandbox.revoke-key', { id })
      if (issued?.id === id) setIssued(null)
      await reload()
    })
    if (done) setAsked(null)
  }
  const wrong = useNameError()(name, { optional: true, own: true })
  return (
    <SectionCard level={3} title={t('keys.keys')} text={t('keys.keysText')}>
      <Refused refusal={refusal} />
      {keys?.length === 0 ? <p className={common.summary}>{t('keys.noKeys')}</p> : null}
      {keys && keys.length > 0 ? (
        <ul className={styles.list}>
          {keys.map((key) => (
            <li key={key.id} className={styles.item}>
              <KeyRound size={14} aria-hidden="true" />
              <span className={common.name}>{key.name}</span>
              <span className={common.quiet}>
                {t('keys.issued', { when: format.moment(Date.parse(key.createdAt) * 1_000) })}
              </span>
              <span className={common.spacer} />
              <IconButton
                label={t('keys.revokeNamed', { name: key.name })}
                icon={<Trash2 />}
                onClick={() => setAsked(key)}
              />
            </li>
          ))}
        </ul>
      ) : null}
      {issued ? (
        <OnceShown
          title={t('keys.newKey', { name: issued.name })}
          secret={issued.key}
          copyLabel={t('keys.copyKey')}
          onDone={() => setIssued(null)}
        />
      ) : null}
      {asked ? null : <Refused refusal={action.refusal} />}
      <form
        noValidate
        className={common.inline}
        onSubmit={(event) => {
          event.preventDefault()
          if (!wrong) void issue()
        }}
      >
        <TextField
          className={styles.name}
          label={t('keys.keyName')}
          placeholder={t('keys.keyDefault')}
          value={name}
          onChange={setName}
          error={wrong}
        />
        <Button type="submit" icon={<Plus />} busy={action.busy}>
          {t('keys.issue')}
        </Button>
      </form>
      {asked ? (
        <ConfirmAction
          action={action}
          title={t('keys.revokeTitle', { name: asked.name })}
          confirmLabel={t('keys.revokeConfirm')}
          onConfirm={() => void revoke(asked)}
          onCancel={() => setAsked(null)}
        >
          {t('keys.revokeText')}
        </ConfirmAction>
      ) : null}
    </SectionCard>
  )
}
