/** A sentence or label in both languages of the product. Identifiers of the specification are never translated. */
export interface Text {
  readonly en: string
  readonly es: string
}
export type Language = keyof Text

export const text = (en: string, es: string): Text => ({ en, es })

/** Fills the `{name}` placeholders of a sentence. */
export const filled = (sentence: string, params: Readonly<Record<string, string | number | null>>): string =>
  sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? '…'))

/** Like `filled`, with the singular or plural form chosen by `count`, which also fills `{count}`. */
export const filledCounted = (
  { one, other }: { readonly one: string; readonly other: string },
  count: number,
  params: Readonly<Record<string, string | number>> = {},
): string => filled(count === 1 ? one : other, { count, ...params })
