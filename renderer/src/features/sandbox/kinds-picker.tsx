import { useTranslation } from 'react-i18next'
import { KINDS, type Kind } from '#catalog/kinds.ts'
import { Button } from '@/shared/components/button.tsx'
import { GroupDot } from '@/shared/components/tag.tsx'
import { Checkbox } from '@/shared/components/toggle.tsx'
import { useLanguage } from '@/shared/i18n/format.ts'
import { kindsFound } from './kinds-found.ts'
import styles from './kinds-picker.module.css'

const ALL = KINDS.map(({ kind }) => kind)

export interface KindsPickerProps {
  readonly value: readonly Kind[]
  /** In the order of the catalogue. */
  readonly onChange: (kinds: readonly Kind[]) => void
}

/** Any number of the 28 kinds, by group, with a box for each group as a whole. */
export function KindsPicker({ value, onChange }: KindsPickerProps) {
  const { t } = useTranslation('sandbox')
  const language = useLanguage()
  const chosen = new Set(value)
  const set = (kinds: readonly Kind[], on: boolean) => {
    const next = new Set(chosen)
    for (const kind of kinds) on ? next.add(kind) : next.delete(kind)
    onChange(ALL.filter((kind) => next.has(kind)))
  }
  return (
    <>
      <div className={styles.top}>
        <span className={styles.count}>{t('kinds.chosen', { count: chosen.size, all: ALL.length })}</span>
        <Button small variant="quiet" disabled={chosen.size === ALL.length} onClick={() => onChange(ALL)}>
          {t('kinds.all')}
        </Button>
        <Button small variant="quiet" disabled={chosen.size === 0} onClick={() => onChange([])}>
          {t('kinds.none')}
        </Button>
      </div>
      <div className={styles.groups}>
        {kindsFound('', language).map(({ slug, name, kinds }) => {
          const on = kinds.filter((kind) => chosen.has(kind)).length
          return (
            <fieldset key={slug} className={styles.group} aria-label={name}>
              <div className={styles.heading}>
                <GroupDot group={slug} />
                <Checkbox
                  label={name}
                  checked={on === kinds.length ? true : on === 0 ? false : 'indeterminate'}
                  onChange={(now) => set(kinds, now)}
                />
              </div>
              {kinds.map((kind) => (
                <div key={kind} className={styles.kind}>
                  <Checkbox label={kind} checked={chosen.has(kind)} onChange={(now) => set([kind], now)} />
                </div>
              ))}
            </fieldset>
          )
        })}
      </div>
    </>
  )
}
