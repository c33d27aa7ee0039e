// npm run package: installs what only packaging needs, then runs package.mjs in the pinned Node
import { join } from 'node:path'
import { foreground } from '../src/hosts/launch/foreground.mjs'
import { ensurePackages } from '../src/hosts/launch/install.mjs'
import { carryOut, prepare } from '../src/hosts/launch/prepare.mjs'
import { pinnedNode, ROOT } from '../src/hosts/launch/project.mjs'

await carryOut(async () => {
  await prepare(ROOT)
  const node = pinnedNode(ROOT)
  await ensurePackages(import.meta.dirname, undefined, node)
  const program = join(import.meta.dirname, 'package.mjs')
  return (await foreground(node, [program, ...process.argv.slice(2)])).code
})
