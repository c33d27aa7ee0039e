import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connection } from '#contract/connection.ts'
import type { ScheduleState } from '#contract/schedule.ts'
import { WEEKDAYS } from '#contract/values.ts'
import { Button } from '@/shared/components/button.tsx'
import { FormDialog, FormPart } from '@/shared/components/form-dialog.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { useForm } from '@/shared/forms/use-form.tsx'
import { api } from '@/shared/live/api.ts'
import { useScheduling } from '@/shared/live/layers.ts'
import { useRoute } from '@/shared/live/route.ts'
import { useSchedules, useScheduleWords } from '@/shared/live/schedules.ts'
import { changeSettings, useSettings } from '@/shared/live/settings.ts'
import { useStatus } from '@/shared/live/status.ts'
import { removed } from '@/shared/live/undo.ts'
import { askForNotices, noticePermission } from '@/shared/platform/web.ts'
import { scheduleForm } from './forms.ts'
import { type ItemDialogProps, TEXT } from './section.tsx'

export function ScheduleLayer() {
  const { connection: name, close } = useScheduling()
  const settings = useSettings((s) => s.settings)
  const connection = settings?.connections.find((one) => one.name === name)
  return settings && connection ? (
    <ScheduleDialog key={name} {...{ connection, settings }} onClose={close} />
  ) : null
}

interface ScheduleDialogProps extends Omit<ItemDialogProps<never>, 'item'> {
  readonly connection: Connection
}

/** Form of a schedule: when Acuse sweeps, and what it does with missed events. */
function ScheduleDialog({ connection, settings, onClose }: ScheduleDialogProps) {
  const { t } = useTranslation(['schedules', 'settings', 'common'])
  const { name, zone } = connection
  const present = settings.schedules.find((one) => one.connection === name) ?? null
  const state = useSchedules((s) => s.schedules?.find(({ schedule }) => schedule.connection === name))
  const { draft, fields, action, save, dialog } = useForm({
    form: () => scheduleForm(present, name),
    texts: ['schedules', 'dialog'],
    look: () => ({
      minutes: { className: 'max-w-320', min: 1, max: 43_200 },
      at: { className: 'max-w-320', hint: t('dialog.atHint', { zone }) },
      weekdays: {
        className: 'grid-cols-7',
        options: WEEKDAYS.map((value) => ({ value, label: t(`days.${value}`) })),
      },
      recoverTo: {
        ...(settings.targets.length === 0 ? { hint: t('dialog.noTargets') } : {}),
        options: [
          { value: '', label: t('dialog.nowhere') },
          ...settings.targets.map((target) => ({ value: target.name, label: target.name })),
        ],
      },
    }),
    send: (schedule) => changeSettings('schedules.save', schedule),
    onClose,
  })
  // Save first, so that the run uses the visible values.
  const runNow = async () => {
    if (await save()) await action.run(() => api.call('schedules.run-now', { connection: name }))
  }
  const remove = async () => {
    if (!(await action.run(() => changeSettings('schedules.remove', { connection: name })))) return
    onClose()
    if (present) await removed('schedule', { name }, () => changeSettings('schedules.save', present))
  }
  return (
    <FormDialog
      width={620}
      title={t('dialog.title', { name })}
      description={t('dialog.text')}
      action={t('settings:save')}
      {...dialog}
      apart={
        present ? (
          <Button
            variant="danger"
            disabled={action.busy || state?.running === true}
            onClick={() => void remove()}
          >
            {t('dialog.remove')}
          </Button>
        ) : null
      }
    >
      {fields('enabled')}
      <FormPart title={t('dialog.when')}>
        {fields('kind')}
        {draft.kind === 'every' ? (
          fields('minutes')
        ) : (
          <>
            {fields('at')}
            <p className="-mb-8 text-fg-2 text-s">{t('dialog.weekdays')}</p>
            {fields('weekdays')}
          </>
        )}
      </FormPart>
      <FormPart title={t('dialog.what')}>{fields('route', ['overlapMinutes', 'lookBackDays'])}</FormPart>
      <FormPart title={t('dialog.afterwards')}>
        {fields('notify')}
        {draft.notify ? <NoticesAllowed /> : null}
        {fields('recoverTo')}
      </FormPart>
      <LastRun state={state} busy={action.busy} onRun={() => void runNow()} onClose={onClose} />
    </FormDialog>
  )
}

interface LastRunProps {
  readonly state: ScheduleState | undefined
  readonly busy: boolean
  readonly onRun: () => void
  readonly onClose: () => void
}

function LastRun({ state, busy, onRun, onClose }: LastRunProps) {
  const { t } = useTranslation('schedules')
  const words = useScheduleWords()
  const go = useRoute((s) => s.go)
  const [sweep] = state?.last?.sweeps ?? []
  return (
    <FormPart title={t('dialog.last')}>
      <p role="status" className="text-s tabular-nums leading-[1.5]">
        {state?.running ? (
          <>
            <Spinner /> {words.short(state)}
          </>
        ) : state ? (
          words.line(state)
        ) : (
          t('result.never')
        )}
      </p>
      <div className="flex gap-6">
        <Button disabled={busy || state?.running === true} onClick={onRun}>
          {t('dialog.runNow')}
        </Button>
        {sweep === undefined ? null : (
          <Button
            onClick={() => {
              onClose()
              go('reconcile', `sweep-${sweep}`)
            }}
          >
            {t('dialog.show')}
          </Button>
        )}
      </div>
    </FormPart>
  )
}

/** A button that requests the browser's permission for notifications; the desktop app needs none. */
function NoticesAllowed() {
  const { t } = useTranslation('schedules')
  const native = useStatus((s) => s.info?.capabilities.nativeWindow ?? true)
  const [permission, setPermission] = useState(() => noticePermission(native))
  if (permission === 'unsupported') return null
  if (permission === 'default')
    return (
      <div>
        <Button small onClick={() => void askForNotices().then(setPermission)}>
          {t('dialog.allow')}
        </Button>
      </div>
    )
  return <p className={TEXT}>{t(permission === 'granted' ? 'dialog.allowed' : 'dialog.denied')}</p>
}
