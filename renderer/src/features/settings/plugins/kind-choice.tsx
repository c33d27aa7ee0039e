import { RadioGroup } from 'radix-ui'
import { useTranslation } from 'react-i18next'
import { PLUGIN_EVENT_NAMES, PLUGIN_ROUTE_RULES } from '#catalog/plugin-events.ts'
import { PLUGIN_EVENT_TYPES } from '#catalog/service.ts'
import { useLanguage } from '@/shared/i18n/format.ts'
import { usePluginDraft } from './plugin-draft.ts'
import styles from './plugins.module.css'

/** The three events that a plugin may publish, and what is documented of them. */
export function KindChoice() {
  const { t } = useTranslation('plugins')
  const language = useLanguage()
  const { eventType, turnTo } = usePluginDraft()
  return (
    <div className={styles.kinds}>
      <RadioGroup.Root
        className={styles.choice}
        aria-label={t('event')}
        orientation="horizontal"
        value={eventType}
        onValueChange={(next) => {
          const chosen = PLUGIN_EVENT_TYPES.find((type) => type === next)
          if (chosen) turnTo(chosen)
        }}
      >
        {PLUGIN_EVENT_TYPES.map((type) => (
          <RadioGroup.Item key={type} value={type} className={styles.kind}>
            <code>{type}</code>
            <span>{PLUGIN_EVENT_NAMES[type][language]}</span>
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
      <details className={styles.rules} open>
        <summary>{t('documented')}</summary>
        <ul>
          {PLUGIN_ROUTE_RULES.map((rule) => (
            <li key={rule.en}>{rule[language]}</li>
          ))}
        </ul>
      </details>
    </div>
  )
}
