/** npm run release [-- --dry-run]: checks what a release needs, and writes the files to publish to `release/`. Publishes nothing. */
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { billOfMaterials, billProblems } from './bill.ts'
import { buildCopy, buildProblems } from './builds.ts'
import {
  changelogProblems,
  licencesProblems,
  lockfileProblems,
  manifestOf,
  newestSection,
  type Problems,
  versionProblems,
} from './checks.ts'
import { shippedPackages } from './shipped.ts'

/** npm and tests/pinned.mjs start it in the project's folder. */
const ROOT = process.cwd()
const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } })
const say = (line: string) => void process.stdout.write(`${line}\n`)

let failed = false
async function check(name: string, work: () => Problems | Promise<Problems>): Promise<void> {
  const problems = await Promise.resolve()
    .then(work)
    .catch((error: Error) => [error.message])
  if (problems.length > 0) failed = true
  say(`${problems.length > 0 ? '✗' : '✓'} ${name}`)
  for (const problem of problems) say(`    ${problem}`)
}

const scratch = mkdtempSync(join(tmpdir(), 'acuse-release-'))
try {
  const { name, version } = manifestOf(ROOT)
  let bill = ''
  let tarball = ''
  await check('changelog', () => changelogProblems(ROOT, new Date().toLocaleDateString('sv-SE')))
  await check('version', () => versionProblems(ROOT))
  await check('lock file', () => lockfileProblems(ROOT))
  await check('licences', () => licencesProblems(ROOT))
  await check('bill of materials', async () => {
    bill = await billOfMaterials(ROOT)
    return billProblems(bill, shippedPackages(ROOT))
  })
  await check('two equal builds', async () => {
    const first = await buildCopy(ROOT, join(scratch, 'first'))
    tarball = first['npm package'].file
    return buildProblems(first, await buildCopy(ROOT, join(scratch, 'the-second-one')))
  })
  if (failed) {
    say('\nNo release: correct what is marked with ✗, then run it again.')
    process.exitCode = 1
  } else if (values['dry-run'])
    say('\nEverything is ready. Without --dry-run this command writes the files to publish.')
  else publishable(name, version, bill, tarball)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

/** Writes the files to publish, with their hashes, and says the commands that publish them. */
function publishable(name: string, version: string, bill: string, tarball: string): void {
  const folder = join(ROOT, 'release')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  copyFileSync(tarball, join(folder, basename(tarball)))
  writeFileSync(join(folder, `${name}-${version}.cdx.json`), bill)
  writeFileSync(join(folder, 'notes.md'), `${newestSection(ROOT).text}\n`)
  const sums = readdirSync(folder).map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex')}  ${file}\n`,
  )
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
  say(`\nrelease/ has the files of ${version}. These commands publish them:`)
  say(`    git tag --annotate v${version} --file release/notes.md && git push origin v${version}`)
  say(`    npm publish release/${basename(tarball)}`)
  say(
    'npm attests where the package was built, so run the second one in a hosted CI. package.json must name the public repository for that.',
  )
}
