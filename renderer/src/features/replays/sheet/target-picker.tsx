import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DEFAULT_TARGET } from '#contract/defaults.ts'
import { outgoingUrl, targetUrl } from '#core/replay/destination.ts'
import { Select } from '@/shared/components/select.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { Checkbox } from '@/shared/components/toggle.tsx'
import { shownUrl } from '@/shared/formats/url.ts'
import { useReplaySheet } from '@/shared/live/layers.ts'
import { changeSettings, useSettings } from '@/shared/live/settings.ts'
import {
  firstChoice,
  nameForUrl,
  referenceOf,
  TYPED,
  urlProblem,
  withholdingHost,
} from '@/shared/targets/target-choice.ts'

/** Destination of a replay: a saved target, or a typed URL. */
export interface ChosenTarget {
  /** Value for `SendTo.target`; null while the typed URL is invalid. */
  readonly reference: string | null
  /** Example of the URL that results from the target's policies. */
  exampleOf(url: string): string | null
  /** Remembers a typed URL, and saves it as a target if the user wants. @returns the reference to send to */
  keep(): Promise<string>
  readonly picker: ReactNode
}

export function useTargetPicker(): ChosenTarget {
  const { t } = useTranslation('replays')
  const { targets = [], defaultTarget = null } = useSettings((s) => s.settings) ?? {}
  const [choice, setChoice] = useState(() =>
    firstChoice(targets, defaultTarget, useReplaySheet.getState().lastUrl),
  )
  const [keeping, setKeeping] = useState(false)
  const typed = choice.chosen === TYPED
  const problem = typed ? urlProblem(choice.typed) : null
  const reference = referenceOf(choice)
  const withholding = withholdingHost(choice, targets)
  return {
    reference,
    exampleOf: (url) => {
      if (reference === null) return null
      const target = targets.find(({ name }) => name === reference) ?? { ...DEFAULT_TARGET, url: reference }
      return shownUrl(outgoingUrl(targetUrl(target.url), target, url))
    },
    keep: async () => {
      const given = reference ?? ''
      if (typed) useReplaySheet.setState({ lastUrl: given })
      if (!typed || !keeping) return given
      const known = targets.find(({ url }) => url === given)
      if (known) return known.name
      const taken = targets.map((target) => target.name)
      const name = nameForUrl(given, taken)
      await changeSettings('targets.save', { ...DEFAULT_TARGET, name, url: given })
      return name
    },
    picker: (
      <div className="flex flex-wrap gap-x-12 gap-y-10 w-full">
        <Select
          label={t('sheet.target')}
          className="flex-[0_1_240px]"
          value={choice.chosen}
          onChange={(chosen) => setChoice({ ...choice, chosen })}
          options={[
            ...targets.map(({ name }) => ({
              value: name,
              label: name === defaultTarget ? t('sheet.defaultTarget', { name }) : name,
            })),
            { value: TYPED, label: t('sheet.typed') },
          ]}
        />
        {typed ? (
          <>
            <TextField
              label={t('sheet.url')}
              mono
              data-begin=""
              className="flex-[1_1_300px]"
              value={choice.typed}
              onChange={(text) => setChoice({ ...choice, typed: text })}
              error={problem ? t(`sheet.urlErrors.${problem}`) : null}
            />
            <Checkbox
              label={t('sheet.keep')}
              hint={t('sheet.keepHint')}
              checked={keeping}
              onChange={setKeeping}
            />
          </>
        ) : null}
        {withholding === null ? null : (
          <p className="basis-full text-fg-2">{t('sheet.withheld', { host: withholding })}</p>
        )}
      </div>
    ),
  }
}
