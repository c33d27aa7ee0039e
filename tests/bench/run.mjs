// Entry of `npm run bench`: runs under whatever Node is at hand, then hands over to the pinned one.
import { join } from 'node:path'
import { foreground } from '../../src/hosts/launch/foreground.mjs'
import { carryOut, prepare } from '../../src/hosts/launch/prepare.mjs'
import { pinnedNode, ROOT } from '../../src/hosts/launch/project.mjs'

await carryOut(async () => {
  await prepare(ROOT)
  const args = [join(ROOT, 'tests/bench/main.ts'), ...process.argv.slice(2)]
  const { code } = await foreground(pinnedNode(ROOT), args, { cwd: ROOT })
  return code
})
