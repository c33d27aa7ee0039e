import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { KINDS } from '#catalog/kinds.ts'
import { typeScript } from '#interop/schema/typescript.ts'
import { zodModule } from '#interop/schema/zod.ts'
import { anEvent } from '../../../support/events.ts'
import { forAll } from '../../../support/for-all.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { asSent, passes, spelledBody } from './mutated.ts'

const MODULES = resolve(import.meta.dirname, '../../../../node_modules')
const run = promisify(execFile)

/** A project with these files and the modules of this one. */
function project(files: Readonly<Record<string, string>>): string {
  const folder = tempFolder()
  symlinkSync(MODULES, join(folder, 'node_modules'))
  mkdirSync(join(folder, 'src'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'src', name), text)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        ...{ strict: true, noEmit: true, module: 'nodenext', target: 'es2022', types: [] },
        ...{ exactOptionalPropertyTypes: true, noUnusedLocals: true, allowImportingTsExtensions: true },
      },
      include: ['src'],
    }),
  )
  return folder
}

async function typeErrors(folder: string): Promise<string> {
  const tsc = join(MODULES, 'typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch((error) => error)
  return stdout
}

const HANDLER = `import type { Event, EventData, Kind } from './events.ts'
export function handle(event: Event): string {
  if (event.Event === 'dgii.aprobado') return \`\${event.data.DocumentId satisfies string} \${event.data.StatusId satisfies 5}\`
  if (event.Event === 'factura.created') {
    for (const line of event.data.Lines ?? []) if (line.Subtotal === 0) return 'free'
    // @ts-expect-error the type of Number is not shown
    return event.data.Number
  }
  // @ts-expect-error there is no such kind
  if (event.Event === 'factura.deleted') return ''
  // @ts-expect-error only a customer has this
  return event.data.LegalName
}
export const voided: EventData['cotizacion.anulated'] = { DocumentId: 'x' }
// @ts-expect-error the identity of the event is mandatory
export const nothing: EventData['cotizacion.anulated'] = {}
export const kind: Kind = 'factura.created'
`

test('the TypeScript types compile in strict mode and narrow by kind, of all kinds and of each', async () => {
  const single = KINDS.map(({ kind }, i) => [`one-${i}.ts`, typeScript(kind)])
  const folder = project({ 'events.ts': typeScript(), 'handler.ts': HANDLER, ...Object.fromEntries(single) })
  expect(await typeErrors(folder)).toBe('')
})

test('the Zod module compiles, and passes and fails the bodies that Acuse passes and fails', async () => {
  const single = KINDS.map(({ kind }, i) => [`one-${i}.ts`, zodModule(kind)])
  const folder = project({ 'events.ts': zodModule(), ...Object.fromEntries(single) })
  expect(await typeErrors(folder)).toBe('')
  const made: { Event: z.ZodType; events: Record<string, z.ZodType> } = await import(
    pathToFileURL(join(folder, 'src/events.ts')).href
  )
  for (const { kind } of KINDS) expect(made.events[kind]?.safeParse(anEvent(kind)).success, kind).toBe(true)
  forAll(2_000, [spelledBody], (body) => {
    const sent = asSent(body)
    expect(made.Event.safeParse(sent).success, JSON.stringify(sent).slice(0, 2_000)).toBe(passes(sent))
  })
})
