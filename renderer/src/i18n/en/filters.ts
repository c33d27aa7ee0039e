export const filters = {
  saved: {
    title: 'Saved and recent filters',
    heading: 'Saved',
    none: 'None yet. Type a filter, then come back here to give it a name; the command line takes it as --filter @name.',
    recent: 'Used last',
    name: 'Name for this filter',
    save: 'Save',
    remove: 'Remove {{name}}',
    notify: 'Notify of deliveries that match {{name}}',
    ask: 'This browser has not been asked yet whether Acuse may show notifications.',
    allow: 'Allow notifications',
    denied: 'This browser does not let Acuse show notifications; its settings for this page can.',
  },
  notice: {
    unknown: 'unknown event',
    more_one: '{{facts}}, and {{count, number}} more',
    more_other: '{{facts}}, and {{count, number}} more',
  },
  search: {
    progress: 'Deliveries searched',
    running_one: 'Searching older deliveries: {{share}} % looked at, {{found}} found',
    running_other: 'Searching older deliveries: {{share}} % looked at, {{found}} found',
    stopped_one: 'Stopped at {{share}} %: {{found}} found so far',
    stopped_other: 'Stopped at {{share}} %: {{found}} found so far',
    stop: 'Stop',
    resume: 'Go on',
  },
} as const
