/** A sentence or label in both languages of the product. Identifiers of the specification are never translated. */
export interface Text {
  readonly en: string
  readonly es: string
}
export type Language = keyof Text

export const text = (en: string, es: string): Text => ({ en, es })

/** A sentence with its `{name}`s replaced. */
export const filled = (sentence: string, params: Readonly<Record<string, string | number>>): string =>
  sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? '…'))
