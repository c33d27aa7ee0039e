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

/** Attributes for the window's one tooltip (tooltips.tsx). Never the only place of a fact; the key, which no name says, is read out too. */
export const tip = ({ content, kbd, side }: Tip): TipAttributes => ({
  'data-tip': content,
  'data-tip-kbd': kbd,
  'data-tip-side': side,
  'aria-description': kbd,
})

const SIDES: readonly string[] = ['top', 'right', 'bottom', 'left'] satisfies readonly TipSide[]
const isSide = (text: string | undefined): text is TipSide => text !== undefined && SIDES.includes(text)

export function tipOf({ dataset }: HTMLElement): Tip | null {
  const { tip: content, tipKbd: kbd, tipSide } = dataset
  if (content === undefined) return null
  return { content, kbd, side: isSide(tipSide) ? tipSide : undefined }
}
