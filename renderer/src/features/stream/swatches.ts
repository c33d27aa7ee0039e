const mixed = (colour: string, share: number): string =>
  `color-mix(in srgb, var(--${colour}) ${share}%, var(--panel))`

const COLOURS: Readonly<Record<string, string>> = {
  valid: mixed('accent', 62),
  noted: mixed('noted', 55),
  warning: 'var(--warning)',
  invalid: 'var(--invalid)',
  unreadable: 'var(--unreadable)',
  unjudged: 'var(--line-strong)',
  test: mixed('text-3', 45),
  none: 'var(--line-strong)',
}
/** Forced colours distinguish only some parts. */
const FORCED: Readonly<Record<string, string>> = {
  noted: 'GrayText',
  unjudged: 'GrayText',
  test: 'GrayText',
  warning: 'Highlight',
  invalid: 'LinkText',
  unreadable: 'LinkText',
}

/** Colours of a key for legend and bars; the tokens define those of groups. */
export const swatchOf = (key: string) => ({
  ['--swatch' as string]: COLOURS[key] ?? `var(--g-${key})`,
  ['--forced' as string]: FORCED[key] ?? 'CanvasText',
})
export const SWATCH =
  'flex-none size-7 rounded-2 bg-current text-[color:var(--swatch)] forced-color-adjust-none forced-colors:text-[color:var(--forced)]'
export const HATCHED =
  'bg-[repeating-linear-gradient(-45deg,var(--invalid)_0_3px,color-mix(in_srgb,var(--invalid)_25%,var(--panel))_3px_6px)] forced-color-adjust-none forced-colors:bg-[repeating-linear-gradient(-45deg,CanvasText_0_3px,Canvas_3px_6px)]'
