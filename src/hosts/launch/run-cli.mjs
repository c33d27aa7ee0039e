// npm run -s acuse -- <command>, and npm run serve
import { join } from 'node:path'
import { foreground } from './foreground.mjs'
import { carryOut, prepare } from './prepare.mjs'
import { LEAN, pinnedNode, ROOT } from './project.mjs'

await carryOut(async () => {
  await prepare(ROOT)
  const args = [...LEAN.flags, join(ROOT, 'out/main/cli.js'), ...process.argv.slice(2)]
  const { code } = await foreground(pinnedNode(ROOT), args, {
    // npm changes to the project's folder; file names on the command line are relative to the user's folder, INIT_CWD.
    cwd: process.env.INIT_CWD || process.cwd(),
    env: { ...LEAN.env, ...process.env },
  })
  return code
})
