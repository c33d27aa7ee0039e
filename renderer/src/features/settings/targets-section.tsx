import { Pencil, Plus, Star, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Settings } from '#contract/settings.ts'
import type { Target } from '#contract/target.ts'
import { Button } from '@/shared/components/button.tsx'
import { ConfirmAction } from '@/shared/components/confirm-action.tsx'
import { cx } from '@/shared/components/cx.ts'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { shownUrl } from '@/shared/formats/url.ts'
import { api } from '@/shared/live/api.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { removed } from '@/shared/live/undo.ts'
import { Section } from './section.tsx'
import styles from './settings.module.css'
import { TargetDialog } from './target-dialog.tsx'

type Asked =
  | { readonly what: 'edit'; readonly target: Target | null }
  | { readonly what: 'remove'; readonly target: Target }

/** They are forgotten with it, so that it cannot be put back as it was. */
const hasSecrets = ({ headers }: Target): boolean => headers.some(({ secret }) => secret)

/** Where deliveries can be sent again. */
export function TargetsSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation('settings')
  const receive = useSettings((s) => s.receive)
  const action = useAction()
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = () => {
    setAsked(null)
    action.clear()
  }
  const { targets, defaultTarget } = settings
  const setDefault = (name: string | null) =>
    void action.run(async () => receive(await api.call('targets.set-default', { name })))
  const remove = async (target: Target) => {
    const { name } = target
    if (!(await action.run(async () => receive(await api.call('targets.remove', { name }))))) return
    close()
    if (hasSecrets(target)) return
    await removed('target', { name }, async () => {
      receive(await api.call('targets.save', target))
      if (name === defaultTarget) receive(await api.call('targets.set-default', { name }))
    })
  }
  return (
    <Section
      name="targets"
      title={t('targets.title')}
      text={t('targets.text')}
      actions={
        <Button icon={<Plus />} onClick={() => setAsked({ what: 'edit', target: null })}>
          {t('targets.add')}
        </Button>
      }
    >
      {asked?.what === 'remove' ? null : <Refused refusal={action.refusal} />}
      {targets.length === 0 ? (
        <p className={cx(styles.outcome, 'min-h-18 text-fg text-s tabular-nums')}>{t('targets.none')}</p>
      ) : null}
      <ul className={styles.list}>
        {targets.map((target) => {
          const { name } = target
          const chosen = name === defaultTarget
          const secrets = target.headers.filter(({ secret }) => secret).length
          return (
            <li key={name} className="py-8 border-t border-line-soft last:pb-0">
              <div className="flex items-center gap-6">
                <b className={styles.name}>{name}</b>
                {chosen ? <Tag tone="accent">{t('targets.default')}</Tag> : null}
                {target.acceptAnyCertificate ? (
                  <Tag tone="warning">{t('targets.anyCertificateTag')}</Tag>
                ) : null}
                {target.keepSecret ? <Tag tone="warning">{t('targets.keepSecretTag')}</Tag> : null}
                {target.keepCredentials ? <Tag tone="warning">{t('targets.keepCredentialsTag')}</Tag> : null}
                <span className="flex-1" />
                <IconButton
                  label={t(chosen ? 'targets.noDefault' : 'targets.setDefault', { name })}
                  icon={<Star />}
                  pressed={chosen}
                  onClick={() => setDefault(chosen ? null : name)}
                />
                <IconButton
                  label={t('targets.edit', { name })}
                  icon={<Pencil />}
                  onClick={() => setAsked({ what: 'edit', target })}
                />
                <IconButton
                  label={t('targets.removeOf', { name })}
                  icon={<Trash2 />}
                  onClick={() =>
                    hasSecrets(target) ? setAsked({ what: 'remove', target }) : void remove(target)
                  }
                />
              </div>
              <div className={styles.url}>{shownUrl(target.url)}</div>
              <p className={styles.facts}>
                <span>{target.method ?? t('targets.methodReceived')}</span>
                <span>{t(`targets.pathWords.${target.path}`)}</span>
                {target.headers.length > 0 ? (
                  <span>{t('targets.headerCount', { count: target.headers.length })}</span>
                ) : null}
                {secrets > 0 ? <span>{t('targets.secretCount', { count: secrets })}</span> : null}
                {target.markReplays ? null : <span>{t('targets.unmarked')}</span>}
              </p>
            </li>
          )
        })}
      </ul>
      {asked?.what === 'edit' ? (
        <TargetDialog target={asked.target} settings={settings} onClose={close} />
      ) : null}
      {asked?.what === 'remove' ? (
        <ConfirmAction
          action={action}
          title={t('targets.removeTitle', { name: asked.target.name })}
          confirmLabel={t('targets.removeConfirm')}
          onConfirm={() => void remove(asked.target)}
          onCancel={close}
        >
          {t('targets.removeText')}
        </ConfirmAction>
      ) : null}
    </Section>
  )
}
