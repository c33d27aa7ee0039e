import { useTranslation } from 'react-i18next'
import { cx } from '@/shared/components/cx.ts'
import card from '@/shared/components/section-card.module.css'
import { Part } from './part.tsx'
import styles from './sandbox.module.css'
import { useSandbox } from './sandbox.ts'
import own from './scenario.module.css'
import { ScenarioRow } from './scenario-row.tsx'

/** Scenarios: each a whole story in one press, with its result. */
export function ScenariosSection() {
  const { t } = useTranslation('sandbox')
  const scenarios = useSandbox((s) => s.state?.scenarios)
  return (
    <Part title={t('scenarios.title')} lead={t('scenarios.lead')}>
      <div className={cx(card.card, styles.rows)}>
        {/* The fields beneath have names of their own. */}
        <div className={own.heads} aria-hidden="true">
          <span>{t('scenarios.count')}</span>
          <span>{t('scenarios.seed')}</span>
        </div>
        <ul>
          {scenarios?.map((scenario) => (
            <ScenarioRow key={scenario.slug} scenario={scenario} />
          ))}
        </ul>
      </div>
    </Part>
  )
}
