import { useTranslation } from 'react-i18next'
import type { Target } from '#contract/target.ts'
import { Select } from '@/shared/components/select.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { Checkbox } from '@/shared/components/toggle.tsx'
import { type TargetChoice, TYPED, urlProblem, withholdingHost } from '@/shared/targets/target-choice.ts'
import styles from './sheet.module.css'

export interface TargetPickerProps {
  readonly targets: readonly Target[]
  readonly defaultTarget: string | null
  readonly choice: TargetChoice
  readonly onChange: (choice: TargetChoice) => void
  /** Whether the URL becomes a target; not asked for without it. */
  readonly keep?: { readonly on: boolean; readonly set: (on: boolean) => void }
}

/** A target by its name, or a URL typed for this once. */
export function TargetPicker({ targets, defaultTarget, choice, onChange, keep }: TargetPickerProps) {
  const { t } = useTranslation('replays')
  const typed = choice.chosen === TYPED
  const problem = typed ? urlProblem(choice.typed) : null
  const withholding = withholdingHost(choice, targets)
  return (
    <div className="flex flex-wrap gap-x-12 gap-y-10 w-full">
      <Select
        label={t('sheet.target')}
        className={styles.targetName}
        value={choice.chosen}
        onChange={(chosen) => onChange({ ...choice, chosen })}
        options={[
          ...targets.map(({ name }) => ({
            value: name,
            label: name === defaultTarget ? t('sheet.defaultTarget', { name }) : name,
          })),
          { value: TYPED, label: t('sheet.typed') },
        ]}
      />
      {typed ? (
        <TextField
          label={t('sheet.url')}
          mono
          data-begin=""
          className={styles.wide}
          value={choice.typed}
          onChange={(text) => onChange({ ...choice, typed: text })}
          error={problem ? t(`sheet.urlErrors.${problem}`) : null}
        />
      ) : null}
      {typed && keep ? (
        <Checkbox label={t('sheet.keep')} hint={t('sheet.keepHint')} checked={keep.on} onChange={keep.set} />
      ) : null}
      {withholding === null ? null : (
        <p className={styles.withheld}>{t('sheet.withheld', { host: withholding })}</p>
      )}
    </div>
  )
}
