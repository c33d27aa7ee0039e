// Entry of `npm run bench`: runs under whatever Node is at hand, then hands over to the pinned one.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { prepare } from '../../src/hosts/launch/prepare.mjs'

const root = join(import.meta.dirname, '../..')
const node = await prepare()
const { status } = spawnSync(node, [join(root, 'tests/bench/main.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(status ?? 1)
