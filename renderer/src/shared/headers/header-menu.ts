import type { ContextGroups } from '@/shared/actions/context.ts'
import { copyAction } from '@/shared/actions/made.ts'
import { filterActions } from '@/shared/deliveries/value-actions.ts'
import { asValue } from '@/shared/live/filter-edit.ts'

/** @param filters it is a delivery's own: the stream can be filtered by it */
export const headerMenu = (name: string, value: string, masked: boolean, filters: boolean): ContextGroups => [
  filters && !masked && value !== '' ? filterActions(`header.${name.toLowerCase()}:${asValue(value)}`) : [],
  [
    ...(masked ? [] : [copyAction('copy-value', 'on.copyValue', value)]),
    copyAction('copy-header', 'on.copyHeader', `${name}: ${value}`),
  ],
]
