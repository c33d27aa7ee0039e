/** Joins the class names that are there. CSS modules type every name as possibly absent, hence the wide input. */
export const cx = (...names: readonly (string | false | null | undefined)[]): string =>
  names.filter(Boolean).join(' ')
