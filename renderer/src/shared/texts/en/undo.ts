/** Removals that can be taken back. */
export const undo = {
  undo: 'Undo',
  undone: 'Taken back.',
  say: '{{text}} {{keys}} takes it back.',
  failed: 'It could not be taken back. {{reason}}',
  removed: {
    filter: 'Removed the saved filter “{{name}}”.',
    target: 'Removed the target “{{name}}”.',
    endpoint: 'Removed the endpoint “{{name}}”.',
    forward: 'Removed the forward “{{name}}”.',
    schedule: 'Removed the schedule of “{{name}}”.',
    connection: 'Removed the connection “{{name}}”.',
    fault: 'Ended the fault “{{name}}”.',
    deliveries_one: 'Deleted {{count, number}} delivery.',
    deliveries_other: 'Deleted {{count, number}} deliveries.',
    faults_one: 'Ended {{count}} fault.',
    faults_other: 'Ended {{count}} faults.',
  },
} as const
