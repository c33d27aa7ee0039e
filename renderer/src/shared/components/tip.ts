const SIDES = ['top', 'right', 'bottom', 'left'] as const

export interface Tip {
  readonly content: string
  readonly kbd?: string | undefined
  readonly side?: (typeof SIDES)[number] | undefined
}

/** Attributes for the shared tooltip (tooltips.tsx). Never put a fact only there. The key is announced, since no name contains it. */
export const tip = ({ content, kbd, side }: Tip) => ({
  'data-tip': content,
  'data-tip-kbd': kbd,
  'data-tip-side': side,
  'aria-description': kbd,
})

export function tipOf({ dataset }: HTMLElement): Tip | null {
  const { tip: content, tipKbd: kbd, tipSide } = dataset
  return content === undefined ? null : { content, kbd, side: SIDES.find((side) => side === tipSide) }
}
