import type { TFunction } from 'i18next'
import type { SortKey } from '#contract/order.ts'

/** What an order is called: as its column, where it has one. */
export const sortName = (t: TFunction<'stream'>, by: SortKey): string =>
  by === 'timestamp' ? t('sort.timestamp') : t(`column.${by === 'arrival' ? 'time' : by}`)
