/**
 * Fields whose values are numbers of a list, codes, or yes and no. Only of these may values be kept for statistics: every other field, and
 * every one that is not documented, may hold a name, a tax id, an address or an amount of a person.
 */
export const LISTED_VALUE_FIELDS: ReadonlySet<string> = new Set([
  'StatusId',
  'SequenceTypeId',
  'SequenceSourceId',
  'CurrencyId',
  'PaymentTermId',
  'ModificationCode',
  'WasAcceptedByDGII',
  'DocumentTypeId',
  'BranchId',
  'CurrencyCode',
  'TratamientoItbis',
  'TipoBienServicioComprado',
  'AwaitsFiscalValidation',
  'WarehouseId',
  'UnitId',
  'IsService',
  'IsExempt',
  'DiscountPercentage',
])
