/** Joins the truthy class names. CSS modules type every name as possibly undefined, hence the wide input. */
export const cx = (...names: readonly (string | false | null | undefined)[]): string =>
  names.filter(Boolean).join(' ')
