/** Which names there are, for whoever gave another. @param names at least one */
export const knownNames = (names: readonly string[]): string =>
  names.length === 1 ? `There is only "${names[0]}".` : `There are ${names.join(', ')}.`
