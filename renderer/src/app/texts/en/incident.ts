export const incident = {
  title: {
    damaged: 'The database was damaged on {{when}} and set aside.',
    missing: 'The database was empty or missing on {{when}}.',
    moved: 'Another program removed or replaced the database on {{when}}.',
  },
  text: {
    damaged: 'A fresh one took over; nothing was deleted.',
    missing: 'A fresh one took over without the earlier deliveries. If you have a copy of it, restore it.',
    moved: 'It was written anew from what Acuse still had open; no delivery is lost.',
  },
  reason: 'Reason: {{reason}}',
  aside: 'Set aside',
  fresh: 'In use now',
  salvage: 'Bring back what can be read',
  running_one: 'Bringing back… {{formatted}} delivery so far',
  running_other: 'Bringing back… {{formatted}} deliveries so far',
  done_one: '{{formatted}} delivery was brought back.',
  done_other: '{{formatted}} deliveries were brought back.',
  failed: 'Nothing more could be read of it. The files stay where they are.',
} as const
