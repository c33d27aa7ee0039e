import { Ellipsis, FlaskConical, RotateCcw, Square } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { WEBHOOK_PLAN } from '#catalog/service.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { CopyButton } from '@/shared/components/copy-button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Menu } from '@/shared/components/menu.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { api } from '@/shared/live/api.ts'
import { useRoute } from '@/shared/live/route.ts'
import styles from './header.module.css'
import { laboratoryOn } from './laboratory-draft.ts'
import { ResetDialog } from './reset-dialog.tsx'
import { useSandbox } from './sandbox.ts'
import { WorkspaceDialog } from './workspace-dialog.tsx'

/** Whether the sandbox runs and where, for whom it plays the service, and what of it is not as in the real one. */
export function Header() {
  const { t } = useTranslation('sandbox')
  const go = useRoute((s) => s.go)
  const { status, state, stop } = useSandbox()
  const [asked, setAsked] = useState<'workspace' | 'reset' | null>(null)
  const action = useAction()
  const url = status?.running ? status.url : null
  const workspace = state?.workspace
  return (
    <>
      <header className={styles.bar}>
        <h1>{t('title')}</h1>
        {status ? (
          <span className={styles.state} role="status">
            <span className={cx(styles.lamp, url !== null && styles.running)} aria-hidden="true" />
            {t(url === null ? 'stopped' : 'started')}
          </span>
        ) : null}
        {url === null ? null : (
          <span className={styles.url}>
            {url}
            <CopyButton small text={url} label={t('copyUrl')} />
          </span>
        )}
        <span className={styles.spacer} />
        {state && laboratoryOn(state.laboratory) ? (
          <Button
            className={styles.badge ?? ''}
            icon={<FlaskConical />}
            title={t('laboratoryHint')}
            onClick={() => go('sandbox', 'laboratory')}
          >
            {t('laboratoryBadge')}
          </Button>
        ) : null}
        {workspace ? (
          <Button
            className={cx(!state.dispatches && styles.plan)}
            title={t('workspace')}
            onClick={() => setAsked('workspace')}
          >
            {t('plan', { plan: workspace.plan })} · {workspace.offset.replace('-', '−')}
          </Button>
        ) : null}
        {url === null ? null : (
          <>
            <Button icon={<Square />} busy={action.busy} onClick={() => void action.run(stop)}>
              {t('stop')}
            </Button>
            <Menu
              align="end"
              trigger={<IconButton label={t('more')} icon={<Ellipsis />} />}
              entries={[
                {
                  type: 'item',
                  label: t('reset.item'),
                  icon: <RotateCcw />,
                  danger: true,
                  onSelect: () => setAsked('reset'),
                },
              ]}
            />
          </>
        )}
      </header>
      <div>
        {state && !state.dispatches ? (
          <Banner
            tone="info"
            title={t('otherPlan.title', { plan: state.workspace.plan })}
            actions={<BackToPlan />}
          >
            {t('otherPlan.text')}
          </Banner>
        ) : null}
        <Refused refusal={action.refusal} />
      </div>
      {asked === 'workspace' && workspace ? (
        <WorkspaceDialog workspace={workspace} onClose={() => setAsked(null)} />
      ) : null}
      {asked === 'reset' ? <ResetDialog onClose={() => setAsked(null)} /> : null}
    </>
  )
}

function BackToPlan() {
  const { t } = useTranslation('sandbox')
  const refresh = useSandbox((s) => s.refresh)
  const action = useAction()
  const back = async () => {
    await api.call('sandbox.set-workspace', { plan: WEBHOOK_PLAN })
    await refresh()
  }
  return (
    <Button small busy={action.busy} onClick={() => void action.run(back)}>
      {t('otherPlan.back', { plan: WEBHOOK_PLAN })}
    </Button>
  )
}
