import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { type Shipped, shippedPackages } from './shipped.ts'

const SCHEMAS = join(import.meta.dirname, '../../node_modules/@cyclonedx/cyclonedx-library/res/schema')

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
}
interface Bill {
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
  readonly metadata: { readonly component: Component }
}

/**
 * Lists what ships, in CycloneDX 1.5: npm's own list of all packages, without those that only development needs. Equal projects give equal
 * lists: no random number, and no time.
 * @throws Error with npm's words
 */
export async function billOfMaterials(root: string): Promise<string> {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only']
  const { stdout } = await promisify(execFile)('npm', args, {
    ...{ cwd: root, maxBuffer: 64 * 1024 * 1024, shell: process.platform === 'win32' },
  })
  const { serialNumber: _random, ...all }: Bill & { serialNumber: string } = JSON.parse(stdout)
  const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const ships = new Map(shippedPackages(root).map((one) => [key(one), one.where]))
  const components = all.components.flatMap((one) => {
    const where = ships.get(key(one))
    if (where === undefined) return []
    const properties = [...where].map((value) => ({ name: 'acuse:where', value }))
    return [{ ...one, scope: 'required', properties }]
  })
  const named = new Set([...components, all.metadata.component].map((one) => one['bom-ref']))
  const dependencies = all.dependencies
    .filter(({ ref }) => named.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => named.has(one)) }))
  // npm names the component after the folder.
  const component = { ...all.metadata.component, name: project.name, properties: undefined }
  const metadata = { ...all.metadata, timestamp: undefined, component }
  const bill = { ...all, metadata, components, dependencies }
  const hash = createHash('sha256').update(JSON.stringify(bill)).digest('hex')
  const serialNumber = `urn:uuid:${hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')}`
  return `${JSON.stringify({ ...bill, serialNumber }, null, 2)}\n`
}

const key = ({ name, version }: Pick<Shipped, 'name' | 'version'>) => `${name}@${version}`

/** @returns a sentence for each package that the list lacks, and each place that breaks CycloneDX's schema */
export function billProblems(text: string, packages: readonly Shipped[]): readonly string[] {
  const bill: Bill = JSON.parse(text)
  const listed = new Set(bill.components.map(key))
  const missing = packages.filter((one) => !listed.has(key(one)))
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats.default(ajv)
  for (const name of ['idn-email', 'iri-reference']) ajv.addFormat(name, true)
  for (const name of ['spdx', 'jsf-0.82'])
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`)
  const check = ajv.compile(schema('bom-1.5'))
  check(bill)
  return [
    ...missing.map(
      (one) =>
        `The bill of materials lacks ${key(one)}: npm sbom does not list it. Run "npm ci", then "npm run build".`,
    ),
    ...(check.errors ?? []).map(
      ({ instancePath, message }) =>
        `The bill of materials breaks the schema of CycloneDX 1.5 at ${instancePath || '/'}: it ${message}. Correct tests/release/bill.ts.`,
    ),
  ]
}

const schema = (name: string) =>
  JSON.parse(readFileSync(join(SCHEMAS, `${name}.SNAPSHOT.schema.json`), 'utf8'))
