#!/usr/bin/env node
// Nothing but Node's oldest parts may be imported here: under an older Node everything else would fail to load with a riddle.
import { MINIMUM_NODE, runPinned } from './pinned-node.ts'

// Without a listener Node opens its inspector on this signal, which would let every user of the machine in.
process.on('SIGUSR1', () => {})

if (Number.parseInt(process.versions.node, 10) < MINIMUM_NODE) await runPinned(process.argv.slice(1))
else {
  const { main } = await import('./main.ts')
  process.exit(await main(process.argv.slice(2)))
}
