import { Parser } from '@asyncapi/parser'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import { OPENAPI_VERSIONS } from '#interop/schema/formats.ts'
import type { Schema } from '#interop/schema/json-schema.ts'
import { openApi } from '#interop/schema/openapi.ts'
import { asyncApi } from '#interop/schema/write.ts'
import { forAll } from '../../../support/for-all.ts'
import { asSent, passes, spelledBody } from './mutated.ts'

// No licence of the service is known, and no scheme of the plugin token: how it travels is not shown. Messages share tags.
const RULES = { 'info-license': 'off', 'security-defined': 'off', 'no-duplicated-tag-names': 'off' } as const

/** @returns the problems that Redocly's linter reports, warnings included */
async function linted(document: Schema): Promise<readonly string[]> {
  const config = await createConfig({ extends: ['recommended-strict'], rules: RULES })
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'api.json', config })
  return problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`)
}
const validated = async (document: Schema) =>
  (await new Validator().validate(structuredClone(document))).valid

const WRITTEN = [undefined, 'factura.created', 'customer.deactivated'] as const
const written = WRITTEN.flatMap((kind) => OPENAPI_VERSIONS.map((version) => ({ version, kind })))

describe('OpenAPI', () => {
  test.each(written)('$version of $kind is valid to two validators', async ({ version, kind }) => {
    const document = openApi(version, kind)
    expect(await linted(document)).toEqual([])
    expect(await validated(document)).toBe(true)
  })

  test('is invalid to both when it lacks what the standard demands', async () => {
    const { info: _, ...document } = openApi('3.1')
    expect(await linted(document)).toEqual([expect.stringContaining('info')])
    expect(await validated(document)).toBe(false)
  })

  test('has a webhook per kind, whose schema passes and fails the bodies that Acuse passes and fails', () => {
    const document = openApi('3.1')
    expect(Object.keys(document.webhooks ?? {})).toEqual(KINDS.map(({ kind }) => kind))
    // Not strict: the document around the schemas is no schema.
    const ajv = new Ajv2020({ strict: false, allowUnionTypes: true })
    ajv.addSchema({ ...document, $id: 'urn:acuse:api' })
    const checks = KINDS.map(({ kind }) => ajv.getSchema(`urn:acuse:api#/components/schemas/${kind}`))
    forAll(2_000, [spelledBody], (body) => {
      const sent = asSent(body)
      const fits = checks.filter((check) => check?.(sent)).length
      expect(fits, JSON.stringify(sent).slice(0, 2_000)).toBe(passes(sent) ? 1 : 0)
    })
  })
})

describe('AsyncAPI', () => {
  const parsed = async (document: Schema) => new Parser().parse(JSON.stringify(document))

  test.each(WRITTEN)('of %s is valid to two validators', async (kind) => {
    const { document, diagnostics } = await parsed(asyncApi(kind))
    expect(diagnostics.map(({ path, message }) => `${path.join('/')}: ${message}`)).toEqual([])
    expect(document?.messages().length).toBe(kind === undefined ? KINDS.length : 1)
    expect(await linted(asyncApi(kind))).toEqual([])
  })

  test('is invalid to both when it lacks what the standard demands', async () => {
    const { info: _, ...document } = asyncApi()
    expect((await parsed(document)).document).toBeUndefined()
    expect(await linted(document)).not.toEqual([])
  })
})
