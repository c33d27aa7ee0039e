import { useTranslation } from 'react-i18next'
import { useFilter } from '@/shared/deliveries/filter.ts'
import { FilterField } from '@/shared/filter/filter-field.tsx'
import { focusGrid } from '@/shared/live/focus.ts'
import { STREAM } from './actions.ts'

/** The filter of the list. */
export function FilterInput() {
  const { t } = useTranslation('stream')
  const { text, problem, type, set, enter } = useFilter()
  return (
    <FilterField
      main={STREAM.filter}
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
