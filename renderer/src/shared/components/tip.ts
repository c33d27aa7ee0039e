export interface Tip {
  readonly content: string
  readonly kbd?: string | undefined
  readonly side?: TipSide | undefined
}
export type TipSide = 'top' | 'right' | 'bottom' | 'left'

export interface TipAttributes {
  readonly 'data-tip': string
  readonly 'data-tip-kbd': string | undefined
  readonly 'data-tip-side': TipSide | undefined
  readonly 'aria-description': string | undefined
}

/**
 * Attributes of an element that the window's one tooltip describes, see tooltips.tsx. Never the only place of a fact; the key, which no name
 * says, is told to assistive technology too.
 */
export const tip = ({ content, kbd, side }: Tip): TipAttributes => ({
  'data-tip': content,
  'data-tip-kbd': kbd,
  'data-tip-side': side,
  'aria-description': kbd,
})

const SIDES: readonly string[] = ['top', 'right', 'bottom', 'left'] satisfies readonly TipSide[]
const isSide = (text: string | undefined): text is TipSide => text !== undefined && SIDES.includes(text)

/** What an element's attributes say. @returns null for one without */
export function tipOf({ dataset }: HTMLElement): Tip | null {
  const { tip: content, tipKbd: kbd, tipSide } = dataset
  if (content === undefined) return null
  return { content, kbd, side: isSide(tipSide) ? tipSide : undefined }
}
