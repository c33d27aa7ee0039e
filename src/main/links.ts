/** A link such as `acuse:delivery/42`, as a chat or an issue holds it. Some programs insert the slashes. */
const LINK = /^acuse:(?:\/\/)?delivery\/([1-9]\d{0,14})\/?$/i
const SCHEME = /^acuse:/i

/**
 * Finds the link to open among a start's arguments. A link comes from any page or program, so it can only show a stored delivery: it has
 * neither commands nor parameters.
 * @returns the window's route; undefined without a link, and for every link of another form
 */
export function linkedRoute(given: readonly string[]): string | undefined {
  const id = LINK.exec(given.find((one) => SCHEME.test(one)) ?? '')?.[1]
  return id === undefined ? undefined : `#/stream?id=${id}`
}
