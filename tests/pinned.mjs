// Runs a program of tests/ in the prepared project, under any Node, which starts the pinned one.
import { join } from 'node:path'
import { foreground } from '../src/hosts/launch/foreground.mjs'
import { carryOut, prepare } from '../src/hosts/launch/prepare.mjs'
import { pinnedNode, ROOT } from '../src/hosts/launch/project.mjs'

const [program = '', ...args] = process.argv.slice(2)
await carryOut(async () => {
  await prepare(ROOT)
  const { code } = await foreground(pinnedNode(ROOT), [join(ROOT, 'tests', program), ...args], { cwd: ROOT })
  return code
})
