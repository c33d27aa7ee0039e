import type { Verification } from '#contract/status.ts'
import { command } from '../shared/command.ts'
import { EXIT } from '../shared/failures.ts'
import { lossSentences } from '../shared/status-talk.ts'
import { counted } from '../shared/text.ts'

function proofText(found: Verification): string {
  const { database, checked, unproved, altered, records, damaged } = found
  const proved = checked - unproved - altered.length
  if (database !== null && checked === 0)
    return `Database  SQLite finds: ${database}. Nothing else was read. A running Acuse sets it aside and offers to recover what can be read.\n`
  return [
    `Log       ${counted(records, 'record')} read, ${damaged.length === 0 ? 'each with the checksum that it was written with' : `damaged: ${damaged.map(([from, to]) => `${from} to ${to}`).join(', ')}`}.`,
    `Database  ${database === null ? 'SQLite finds nothing wrong.' : `SQLite finds: ${database}.`}`,
    `Bodies    ${proved.toLocaleString('en')} of ${checked.toLocaleString('en')} are byte for byte as the log had them.`,
    ...(unproved === 0
      ? []
      : [`          ${unproved.toLocaleString('en')} were stored by a version that kept no checksum.`]),
    ...(altered.length === 0 ? [] : [`          Changed since they were stored: ${altered.join(', ')}.`]),
    '',
  ].join('\n')
}

export const verify = command({
  name: 'verify',
  about:
    'Read the whole log and the databases again and compare their checksums. Exit code 1 if anything changed, or if a database was set aside and not recovered.',
  json: 'print what was found as one JSON object',
  examples: [
    ['acuse verify', 'what was proved, in a few lines'],
    ['acuse verify --json | jq -r .altered[]', 'ids of deliveries whose bytes have changed'],
  ],
  run: (_, cli) =>
    cli.existing(async ({ call, here }) => {
      const found = await call('store.verify', {})
      await cli.print(found, proofText(found))
      const { store, following } = await call('status.get', {})
      // The proof is of the new database, and deliveries may be in the old one only. An opening in this process has said it.
      if (!here) for (const sentence of lossSentences(store)) cli.terminal.say(sentence)
      // A follower has copied again from the shared log what it had lost.
      const lost = !following && store.incidents.some(({ salvage }) => salvage === 'offered')
      const { database, altered, damaged } = found
      if (lost || database !== null || altered.length + damaged.length > 0) cli.exitWith(EXIT.found)
    }),
})
