import { useTranslation } from 'react-i18next'
import type { Connection } from '#contract/connection.ts'
import type { RouteChoice } from '#contract/reconcile.ts'
import type { Settings } from '#contract/settings.ts'
import { ROUTE_CHOICES, WEEKDAYS } from '#contract/values.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Dialog } from '@/shared/components/dialog.tsx'
import { FormChoice, FormPart, FormRow } from '@/shared/components/form-dialog.tsx'
import { NumberField } from '@/shared/components/number-field.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { Select } from '@/shared/components/select.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { Checkbox, Switch } from '@/shared/components/toggle.tsx'
import { useForm } from '@/shared/forms/use-form.ts'
import { api } from '@/shared/live/api.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { removed } from '@/shared/live/undo.ts'
import parts from './connection-parts.module.css'
import { type ScheduleDraft, scheduleForm } from './schedule-form.ts'
import { LastRun, NoticesAllowed } from './schedule-parts.tsx'
import { useSchedules } from './schedules.ts'
import styles from './settings.module.css'

export interface ScheduleDialogProps {
  readonly connection: Connection
  readonly settings: Settings
  readonly onClose: () => void
}

interface PartProps {
  readonly draft: ScheduleDraft
  readonly change: (part: Partial<ScheduleDraft>) => void
  readonly errorOf: (field: string) => string | null
}

/** When Acuse sweeps a connection by itself, and what it does about what was missed. */
export function ScheduleDialog({ connection, settings, onClose }: ScheduleDialogProps) {
  const { t } = useTranslation(['schedules', 'settings', 'common'])
  const { name, zone } = connection
  const receive = useSettings((s) => s.receive)
  const present = settings.schedules.find((one) => one.connection === name) ?? null
  const state = useSchedules((s) => s.schedules?.find(({ schedule }) => schedule.connection === name))
  const { draft, change, errorOf, action, save, dialog } = useForm({
    form: () => scheduleForm(present, name),
    say: (error) => t(`dialog.errors.${error}`),
    send: async (schedule) => receive(await api.call('schedules.save', schedule)),
    onSaved: onClose,
  })
  // What is run is what is seen: it is saved first.
  const runNow = async () => {
    if (await save()) await action.run(() => api.call('schedules.run-now', { connection: name }))
  }
  const remove = async () => {
    if (!(await action.run(async () => receive(await api.call('schedules.remove', { connection: name })))))
      return
    onClose()
    if (present)
      await removed('schedule', { name }, async () => receive(await api.call('schedules.save', present)))
  }
  const part = { draft, change, errorOf }
  return (
    <Dialog
      open
      onClose={onClose}
      width={620}
      title={t('dialog.title', { name })}
      description={t('dialog.text')}
      onSubmit={dialog.onSubmit}
      footer={
        <>
          {present ? (
            <Button
              variant="danger"
              disabled={action.busy || state?.running === true}
              onClick={() => void remove()}
            >
              {t('dialog.remove')}
            </Button>
          ) : null}
          <span className="flex-1" />
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button type="submit" variant="primary" busy={action.busy}>
            {t('settings:save')}
          </Button>
        </>
      }
    >
      <div className={cx(styles.form, 'grid grid-cols-1 gap-14')}>
        <Refused refusal={dialog.refusal} />
        <Switch
          label={t('dialog.enabled')}
          checked={draft.enabled}
          onChange={(enabled) => change({ enabled })}
        />
        <When {...part} zone={zone} />
        <What {...part} />
        <FormPart title={t('dialog.afterwards')}>
          <Switch
            label={t('dialog.notify')}
            hint={t('dialog.notifyHint')}
            checked={draft.notify}
            onChange={(notify) => change({ notify })}
          />
          {draft.notify ? <NoticesAllowed /> : null}
          <Select
            label={t('dialog.recoverTo')}
            hint={t(settings.targets.length === 0 ? 'dialog.noTargets' : 'dialog.recoverHint')}
            value={draft.recoverTo}
            onChange={(recoverTo) => change({ recoverTo })}
            options={[
              { value: '', label: t('dialog.nowhere') },
              ...settings.targets.map((target) => ({ value: target.name, label: target.name })),
            ]}
          />
        </FormPart>
        <LastRun state={state} busy={action.busy} onRun={() => void runNow()} onClose={onClose} />
      </div>
    </Dialog>
  )
}

function When({ draft, change, errorOf, zone }: PartProps & { readonly zone: string }) {
  const { t } = useTranslation('schedules')
  const { kind, weekdays } = draft
  return (
    <FormPart title={t('dialog.when')}>
      <FormChoice<ScheduleDraft['kind']>
        label={t('dialog.rhythm')}
        value={kind}
        onChange={(value) => change({ kind: value })}
        segments={(['every', 'at'] as const).map((value) => ({ value, label: t(`dialog.${value}`) }))}
      />
      {kind === 'every' ? (
        <NumberField
          label={t('dialog.minutes')}
          className="max-w-320"
          unit={t('dialog.minutesUnit')}
          min={1}
          max={43_200}
          value={draft.minutes}
          onChange={(minutes) => change({ minutes })}
          error={errorOf('minutes')}
        />
      ) : (
        <>
          <TextField
            label={t('dialog.time')}
            mono
            className="max-w-320"
            maxLength={5}
            value={draft.at}
            onChange={(at) => change({ at })}
            error={errorOf('time')}
            hint={t('dialog.timeHint', { zone })}
          />
          <fieldset className={parts.days}>
            <legend>{t('dialog.days')}</legend>
            {WEEKDAYS.map((day) => (
              <Checkbox
                key={day}
                label={t(`days.${day}`)}
                checked={weekdays.includes(day)}
                onChange={(on) =>
                  change({ weekdays: on ? [...weekdays, day] : weekdays.filter((one) => one !== day) })
                }
              />
            ))}
            <p className={styles.text}>{t('dialog.daysHint')}</p>
          </fieldset>
        </>
      )}
    </FormPart>
  )
}

function What({ draft, change, errorOf }: PartProps) {
  const { t } = useTranslation('schedules')
  return (
    <FormPart title={t('dialog.what')}>
      <FormChoice<RouteChoice>
        label={t('dialog.route')}
        value={draft.route}
        onChange={(route) => change({ route })}
        segments={ROUTE_CHOICES.map((value) => ({ value, label: t(`dialog.routes.${value}`) }))}
      />
      <FormRow>
        <NumberField
          label={t('dialog.overlap')}
          unit={t('dialog.minutesUnit')}
          min={0}
          max={525_600}
          value={draft.overlapMinutes}
          onChange={(overlapMinutes) => change({ overlapMinutes })}
          error={errorOf('overlap')}
          hint={t('dialog.overlapHint')}
        />
        <NumberField
          label={t('dialog.lookBack')}
          unit={t('dialog.lookBackUnit')}
          min={1}
          max={3_660}
          value={draft.lookBackDays}
          onChange={(lookBackDays) => change({ lookBackDays })}
          error={errorOf('lookBack')}
        />
      </FormRow>
    </FormPart>
  )
}
