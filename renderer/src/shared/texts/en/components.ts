export const components = {
  copy: { label: 'Copy', copied: 'Copied', failed: 'The clipboard could not be reached' },
  headers: {
    add: 'Add header',
    name: 'Name of header {{number}}',
    nameHint: 'Name',
    value: 'Value of header {{number}}',
    valueHint: 'Value',
    kept: 'kept: {{value}}',
    secret: 'Secret',
    remove: 'Remove header {{number}}',
  },
} as const
