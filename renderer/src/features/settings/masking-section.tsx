import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Settings } from '#contract/settings.ts'
import { MASKED_NAMES } from '#core/masking.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Refused } from '@/shared/components/refused.tsx'
import { TextArea } from '@/shared/components/text-field.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useSettings } from '@/shared/live/settings.ts'
import { Section } from './section.tsx'
import styles from './settings.module.css'

/** Names whose values are masked: those that Acuse lists, and the user's own. */
export function MaskingSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation('settings')
  const update = useSettings((s) => s.update)
  const action = useAction()
  const saved = settings.masking.names.join('\n')
  const [text, setText] = useState(saved)
  useEffect(() => setText(saved), [saved])
  const names = text.split(/[\s,]+/).filter((name) => name !== '')
  const refused = String(action.refusal?.details?.path ?? '').startsWith('masking.names')
  return (
    <Section name="masking" title={t('masking.title')} text={t('masking.text')}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void action.run(() => update({ masking: { names } }))
        }}
      >
        <TextArea
          label={t('masking.names')}
          mono
          rows={3}
          placeholder={'X-Tenant-Code\n!key'}
          value={text}
          onChange={(next) => {
            setText(next)
            action.clear()
          }}
          error={refused ? t('masking.namesError') : null}
          hint={t('masking.namesHint')}
        />
        {refused ? null : <Refused refusal={action.refusal} />}
        <div className={cx(styles.buttons, 'flex gap-6 mt-12')} hidden={names.join('\n') === saved}>
          <Button type="submit" variant="primary" busy={action.busy}>
            {t('save')}
          </Button>
          <Button variant="quiet" onClick={() => setText(saved)}>
            {t('discard')}
          </Button>
        </div>
      </form>
      <details className={styles.note}>
        <summary>{t('masking.listed', { count: MASKED_NAMES.length })}</summary>
        <p>
          <code>{MASKED_NAMES.join(' ')}</code>
        </p>
      </details>
    </Section>
  )
}
