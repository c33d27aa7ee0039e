import { Send } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { create } from 'zustand'
import type { Alert, AlertState } from '#contract/alerts.ts'
import type { Settings } from '#contract/settings.ts'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { shownUrl } from '@/shared/formats/url.ts'
import { api, hear } from '@/shared/live/api.ts'
import { changeSettings } from '@/shared/live/settings.ts'
import { AlertDialog, AlertTestDialog, useAlertProblem } from './alert-dialog.tsx'
import { ListSection } from './section.tsx'

/** Alerts with their incidents; null until first read. */
const useAlerts = create<{ readonly alerts: readonly AlertState[] | null }>()(() => ({ alerts: null }))

/** The banner shows a lost connection; the next push or reconnection reads again. */
const refresh = (): Promise<void> => api.call('alerts.list', {}).then(useAlerts.setState, () => undefined)

/** Keeps the alerts up to date until the returned function is called. */
function watchAlerts(): () => void {
  void refresh()
  return hear(
    ({ push, payload }) => {
      if (push === 'alerts.changed') useAlerts.setState(payload)
    },
    () => void refresh(),
  )
}

/** Messages to other systems about incidents, with their present state. */
export function AlertsSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation('settings')
  const states = useAlerts((s) => s.alerts)
  const problemText = useAlertProblem()
  useEffect(watchAlerts, [])
  const save = (alert: Alert, enabled: boolean) =>
    changeSettings('alerts.save', { ...alert, enabled, previousName: alert.name })
  return (
    <ListSection<Alert, 'test'>
      of="alerts"
      items={settings.alerts}
      isGuarded={() => false}
      remove={({ name }) => changeSettings('alerts.remove', { name })}
      putBack={(alert) => changeSettings('alerts.save', alert)}
      enabled={{ of: ({ enabled }) => enabled, set: save }}
      line={(alert, { ask }) => {
        const { name, cause, minutes, hours, target, program } = alert
        const state = states?.find((one) => one.alert.name === name)
        const [open] = state?.open ?? []
        return {
          tags: (
            <>
              {open ? <Tag tone="invalid">{t('alerts.openTag')}</Tag> : null}
              {state?.lastFailure ? <Tag tone="warning">{t('alerts.failedTag')}</Tag> : null}
            </>
          ),
          before: (
            <IconButton label={t('alerts.test', { name })} icon={<Send />} onClick={() => ask('test')} />
          ),
          address: target === null ? `hooks/${program}` : shownUrl(target),
          facts: [
            t(`alerts.causeValues.${cause}`),
            cause !== 'missed' && minutes > 0 && t('alerts.after', { count: minutes }),
            hours && `${hours.from}–${hours.to} ${hours.zone}`,
            open && t('alerts.openSince', { when: open.since * 1_000 }),
            state?.lastSentAt && t('alerts.sentAt', { when: state.lastSentAt * 1_000 }),
            state && state.waiting > 0 && t('alerts.waiting', { count: state.waiting }),
            state && state.discarded > 0 && t('alerts.discarded', { count: state.discarded }),
          ],
          more: state?.lastFailure ? (
            <p className="text-s text-warning leading-[1.5]">{problemText(state.lastFailure)}</p>
          ) : null,
        }
      }}
      dialog={({ what, item }, onClose) => {
        if (item && what === 'test') return <AlertTestDialog name={item.name} onClose={onClose} />
        return <AlertDialog {...{ item, settings, onClose }} />
      }}
    />
  )
}
