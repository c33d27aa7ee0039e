import { openSync, writeSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { FilingWriter } from './filing-writer.ts'
import { seeded } from './random.ts'

/*
 * A process that the test kills: it appends, files, checkpoints and recycles small segments as fast as it can, and records
 * each body in a ledger when its append has returned. Arguments: folder, ledger, number.
 */
const [folder = '', ledger = '', round = ''] = process.argv.slice(2)
const random = seeded(Number(round) + 1)
const filing = new FilingWriter(folder, Date.now(), 128 * 1024)
const out = openSync(ledger, 'a')
// Counts as lost: a kill is no cut.
if (filing.log.cut) writeSync(out, `cut ${JSON.stringify(filing.log.cut)}\n`)
for (let n = 0; ; n++) {
  const bodies = Array.from({ length: 1 + Math.floor(random() * 6) }, (_, i) =>
    `${round}.${n}.${i} `.padEnd(random() * (random() < 0.1 ? 60_000 : 3_000), 'x'),
  )
  // Sometimes let filing fall far behind.
  if (n % 50 < 20) filing.deliverLater(...bodies)
  else filing.deliver(...bodies)
  writeSync(out, bodies.map((body) => `${body.split(' ')[0]} ${body.length}\n`).join(''))
  if (n % 10 === 0) filing.writer.idle()
  void filing.log.prepare()
  await turn()
}
