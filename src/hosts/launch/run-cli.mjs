// npm run -s acuse -- <command>, and npm run serve
import { join } from 'node:path'
import { foreground } from './foreground.mjs'
import { carryOut, prepare } from './prepare.mjs'
import { pinnedNode, ROOT } from './project.mjs'

await carryOut(async () => {
  await prepare(ROOT)
  const args = [join(ROOT, 'out/main/cli.js'), ...process.argv.slice(2)]
  // npm changes to the project's folder; file names on the command line are meant from where it was typed.
  const { code } = await foreground(pinnedNode(ROOT), args, { cwd: process.env.INIT_CWD || process.cwd() })
  return code
})
