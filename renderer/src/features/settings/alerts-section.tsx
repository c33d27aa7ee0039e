import { Send } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { create } from 'zustand'
import type { Alert, AlertProblem, AlertSent, AlertState } from '#contract/alerts.ts'
import { DEFAULT_ALERT, DEFAULT_HOURS } from '#contract/defaults.ts'
import { fullUrl } from '#contract/params.ts'
import type { Weekday } from '#contract/schedule.ts'
import type { Settings } from '#contract/settings.ts'
import { ALERT_PROBLEMS, ATTEMPT_ERRORS, WEEKDAYS } from '#contract/values.ts'
import { parseFilter } from '#core/filter/parse.ts'
import { useAttemptErrorText } from '@/shared/attempts/attempt-words.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { FormDialog, FormPart } from '@/shared/components/form-dialog.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Tag } from '@/shared/components/tag.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { shownUrl } from '@/shared/formats/url.ts'
import type { Form, Typed } from '@/shared/forms/form.ts'
import { useForm } from '@/shared/forms/use-form.tsx'
import { api, hear } from '@/shared/live/api.ts'
import { changeSettings } from '@/shared/live/settings.ts'
import { TYPED, urlProblem } from '@/shared/targets/target-choice.ts'
import { URL_REFUSED } from './forms.ts'
import { type ItemDialogProps, ListSection, TEXT } from './section.tsx'

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

/** The choice that stands for a program in place of a target; no target has this name. */
const PROGRAM = '#program'

const hasFilter = (cause: Alert['cause']): boolean => cause === 'silence' || cause === 'invalid'

function wayOf({ target, program }: Pick<Alert, 'target' | 'program'>, { targets }: Settings): string {
  if (program !== null) return PROGRAM
  if (target === null) return targets[0]?.name ?? TYPED
  return target.includes('://') ? TYPED : target
}

function alertDraft(alert: Alert | null, settings: Settings) {
  const { hours, target, program, ...given } = alert ?? { ...DEFAULT_ALERT, name: '', cause: 'silence' }
  const { minutes, ...rest }: Pick<Alert, 'name' | 'enabled' | 'cause' | 'filter' | 'minutes'> = given
  const typed: Typed<{ minutes: number }> = { minutes }
  const zone = settings.connections[0]?.zone ?? DEFAULT_HOURS.zone
  const { weekdays, ...times } = hours ?? { ...DEFAULT_HOURS, zone }
  const days: readonly Weekday[] = weekdays
  return {
    ...rest,
    ...typed,
    working: hours !== null,
    hours: { ...times, weekdays: days },
    way: wayOf({ target, program }, settings),
    url: target?.includes('://') ? target : '',
    program: program ?? '',
  }
}

const alertForm = (
  alert: Alert | null,
  settings: Settings,
): Form<'alerts.save', ReturnType<typeof alertDraft>> => ({
  command: 'alerts.save',
  first: alertDraft(alert, settings),
  params: ({ way, url, program, working, hours, cause, filter, minutes, ...draft }) => ({
    ...draft,
    ...(alert ? { previousName: alert.name } : {}),
    cause,
    filter: hasFilter(cause) ? filter.trim() : '',
    minutes: cause === 'missed' ? DEFAULT_ALERT.minutes : minutes,
    // The user may type `8:00` for `08:00`.
    hours:
      cause === 'silence' && working
        ? { ...hours, from: hours.from.trim().padStart(5, '0'), to: hours.to.trim().padStart(5, '0') }
        : null,
    target: way === PROGRAM ? null : way === TYPED ? fullUrl(url) : way,
    program: way === PROGRAM ? program.trim() : null,
  }),
  places: ({ way }) => ({ target: way === TYPED ? ['url', 'notHttp'] : ['way', 'way'] }),
  *own({ name, cause, filter, minutes, way, url }) {
    if (settings.alerts.some((one) => one.name === name && name !== alert?.name)) yield ['name', 'nameTaken']
    if (hasFilter(cause) && !parseFilter(filter).ok) yield ['filter', 'filter']
    if (hasFilter(cause) && minutes === 0) yield ['minutes', 'minutesLeast']
    const problem = way === TYPED ? urlProblem(url) : null
    if (problem) yield ['url', problem]
  },
  refused: ({ details }, field) => {
    const reason = URL_REFUSED.get(details?.reason)
    return reason === undefined || field === undefined ? undefined : [field, reason]
  },
})

/** Form of an alert: what raises it, and where its messages go. */
function AlertDialog({ item: alert, settings, onClose }: ItemDialogProps<Alert>) {
  const { t } = useTranslation(['settings', 'schedules'])
  const { draft, fields, dialog } = useForm({
    form: () => alertForm(alert, settings),
    texts: ['settings', 'alerts'],
    look: ({ cause }) => ({
      cause: { select: true },
      filter: { filter: true, placeholder: t(`alerts.usual.${cause === 'invalid' ? cause : 'silence'}`) },
      minutes: {
        className: 'max-w-320',
        max: 10_080,
        hint: t(`alerts.minutesHints.${cause === 'missed' ? 'silence' : cause}`),
      },
      'hours.weekdays': {
        className: 'grid-cols-7',
        options: WEEKDAYS.map((value) => ({ value, label: t(`schedules:days.${value}`) })),
      },
      way: {
        options: [
          ...settings.targets.map(({ name }) => ({ value: name, label: name })),
          { value: TYPED, label: t('alerts.another') },
          { value: PROGRAM, label: t('alerts.aProgram') },
        ],
      },
    }),
    send: (params) => changeSettings('alerts.save', params),
    onClose,
  })
  const { cause, working, way } = draft
  return (
    <FormDialog
      width={620}
      title={alert ? t('alerts.editTitle', { name: alert.name }) : t('alerts.addTitle')}
      action={t('save')}
      {...dialog}
    >
      {fields('name')}
      <FormPart title={t('alerts.what')}>
        {fields('cause')}
        <p className={TEXT}>{t(`alerts.causeTexts.${cause}`)}</p>
        {hasFilter(cause) ? fields('filter') : null}
        {cause === 'missed' ? null : fields('minutes')}
        {cause === 'silence' ? fields('working') : null}
        {cause === 'silence' && working
          ? fields(['hours.from', 'hours.to', 'hours.zone'], 'hours.weekdays')
          : null}
      </FormPart>
      <FormPart title={t('alerts.where')}>
        {fields('way')}
        {way === TYPED ? fields('url') : null}
        {way === PROGRAM ? fields('program') : null}
        <p className={TEXT}>{t('alerts.content')}</p>
      </FormPart>
    </FormDialog>
  )
}

/** @returns a function for the reason why a message did not get through, in the window's language */
function useAlertProblem(): (problem: AlertProblem) => string {
  const { t } = useTranslation(['settings', 'replays'])
  const errorText = useAttemptErrorText()
  return ({ code, message, params }) => {
    const own = ALERT_PROBLEMS.find((one) => one === code)
    if (own) return t(`alerts.problem.${own}`, params)
    const error = ATTEMPT_ERRORS.find((one) => one === code)
    // A newer host may give a code that this window does not know.
    return error ? errorText({ code: error, message, params }) : message
  }
}

/** Sends a test message, and says how it went. */
function AlertTestDialog({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const { t } = useTranslation(['settings', 'common'])
  const problemText = useAlertProblem()
  const action = useAction()
  const [sent, setSent] = useState<AlertSent | null>(null)
  const send = () =>
    void action.run(async () => {
      setSent(null)
      setSent(await api.call('alerts.test', { name }))
    })
  return (
    <FormDialog
      width={520}
      title={t('alerts.testTitle', { name })}
      description={t('alerts.testText')}
      action={t('alerts.testNow')}
      cancel={t('common:close')}
      busy={action.busy}
      refusal={action.refusal}
      onSubmit={send}
      onClose={onClose}
    >
      {sent ? (
        <Banner
          tone={sent.problem ? 'error' : 'info'}
          title={t(sent.problem ? 'alerts.testFailed' : 'alerts.testOk')}
          inset
        >
          {sent.problem ? problemText(sent.problem) : t('alerts.testTook', { ms: sent.tookMs })}
        </Banner>
      ) : null}
    </FormDialog>
  )
}
