import { ChevronDown, Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Kind } from '#catalog/kinds.ts'
import type { Refusal } from '#contract/errors.ts'
import { driftJson, driftMarkdown } from '#core/drift/report.ts'
import { Button } from '@/shared/components/button.tsx'
import { Menu } from '@/shared/components/menu.tsx'
import { useLanguage } from '@/shared/i18n/format.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { api } from '@/shared/live/api.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { saveText } from '@/shared/platform/save-text.ts'
import styles from './drift.module.css'

/** Saves the profiles of some kinds as a file. */
export function DriftExport({ kinds }: { readonly kinds: readonly Kind[] }) {
  const { t } = useTranslation('drift')
  const language = useLanguage()
  const refusalText = useRefusalText()
  const [saved, setSaved] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const save = async (as: 'md' | 'json') => {
    try {
      const profiles = await Promise.all(kinds.map((kind) => api.call('drift.profile', { kind })))
      const only = kinds.length === 1 ? `-${kinds[0]}` : ''
      const name = `acuse-drift${only}.${as}`
      if (as === 'md') saveText(name, 'text/markdown', driftMarkdown(profiles, language))
      else saveText(name, 'application/json', driftJson(profiles))
      setSaved(name)
      setRefusal(null)
    } catch (error) {
      setRefusal(refusalOf(error))
    }
  }
  return (
    <>
      <span role="status" className={styles.count}>
        {refusal ? refusalText(refusal) : saved === null ? '' : t('exported', { name: saved })}
      </span>
      <Menu
        align="end"
        trigger={
          <Button icon={<Download />} disabled={kinds.length === 0}>
            {t('export')}
            <ChevronDown aria-hidden="true" />
          </Button>
        }
        entries={[
          { type: 'item', label: t('exportMarkdown'), onSelect: () => void save('md') },
          { type: 'item', label: t('exportJson'), onSelect: () => void save('json') },
        ]}
      />
    </>
  )
}
