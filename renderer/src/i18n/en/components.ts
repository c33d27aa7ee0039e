export const components = {
  copy: { label: 'Copy', copied: 'Copied', failed: 'The clipboard could not be reached' },
} as const
