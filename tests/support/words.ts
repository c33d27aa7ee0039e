/**
 * Splits a template into words, over one or several lines. An inserted value is a word or part of one; an inserted list gives a word each.
 */
export function words(
  text: string | TemplateStringsArray,
  ...values: readonly (string | number | undefined | readonly string[])[]
): readonly string[] {
  const given = (place: string | undefined) => values[Number(place)]
  const parts: readonly string[] = typeof text === 'string' ? [text] : text
  return parts
    .reduce((all, part, i) => `${all}<<${i - 1}>>${part}`)
    .trim()
    .split(/\s+/)
    .flatMap((word) => {
      const whole = given(/^<<(\d+)>>$/.exec(word)?.[1])
      if (typeof whole === 'object') return whole
      return word.replace(/<<(\d+)>>/g, (_, place: string) => String(given(place)))
    })
}
