import { useTranslation } from 'react-i18next'
import { useFilter } from '@/stores/filter.ts'
import { FilterField } from './filter-field.tsx'
import { focusGrid } from './focus.ts'

/** The filter of the list. */
export function FilterInput() {
  const { t } = useTranslation('stream')
  const { text, problem, type, set, enter } = useFilter()
  return (
    <FilterField
      main
      label={t('filter.label')}
      text={text}
      problem={problem}
      placeholder={t('filter.placeholder')}
      onType={type}
      onSet={set}
      onEnter={() => {
        // What is wrong is put right here: in the list its letters would be commands.
        void enter().then((right) => {
          if (right && document.activeElement?.matches('[data-filter]')) focusGrid()
        })
      }}
      onLeave={focusGrid}
    />
  )
}
