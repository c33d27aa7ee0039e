import { resolve } from 'node:path'
import { argument, command } from '../shared/command.ts'
import { counted, number, visible } from '../shared/text.ts'

export const backup = command({
  name: 'backup',
  about: 'Copy everything stored into a new folder, also while Acuse runs, and check the copy.',
  args: { folder: argument('<folder>', 'a new or empty folder') },
  json: 'print {"folder": …, "deliveries": …, "bytes": …}',
  examples: [
    ['acuse backup ~/acuse-backup', 'copy the data folder'],
    ['acuse serve --data ~/acuse-backup', 'open the copy'],
  ],
  note: 'The copy has deliveries, notes, attempts, sweeps and settings; Acuse analyses the deliveries again when it opens it.',
  run: ({ folder }, cli) =>
    cli.existing(async ({ call }) => {
      const made = await call('store.backup', { folder: resolve(folder) })
      const size = `${number(Math.ceil(made.bytes / 1_048_576))} MiB`
      const deliveries = counted(made.deliveries, 'delivery')
      await cli.done(
        `${deliveries}, ${size}, copied to ${visible(made.folder)} and checked. Open it with --data ${visible(folder)}.`,
        made,
      )
    }),
})
