import { describe, expect, test } from 'vitest'
import { operation as described, type SandboxOperation } from '#contract/sandbox.ts'
import { runningSandbox } from '../../../support/running-sandbox.ts'

type Parameter = SandboxOperation['parameters'][number]

/** Values at the limits of the description, and values just beyond them. */
function edges({ type, values, minimum = 0, maximum = 0, maxLength = 0 }: Parameter) {
  if (values)
    return {
      good: values.map((value) => (type === 'integer' ? Number(value) : value)),
      bad: ['none of these'],
    }
  switch (type) {
    case 'integer':
      return { good: [minimum, maximum], bad: [minimum - 1, maximum + 1, minimum + 0.5, String(minimum)] }
    case 'decimal':
      return { good: [minimum, maximum, maximum.toFixed(2)], bad: [minimum - 0.01, maximum + 1, '1.005', ''] }
    case 'string':
      return { good: ['x', 'x'.repeat(maxLength)], bad: ['', ' ', 'x'.repeat(maxLength + 1), '\ud800', 7] }
    case 'boolean':
      return { good: [true, false], bad: ['true', 1] }
    case 'date-time':
      return { good: ['2026-01-15T12:00:00-04:00'], bad: ['2026-01-15', 'today', 1] }
    default:
      return { good: ['00000000-0000-4000-8000-000000000000'], bad: ['0', 'x'.repeat(36), 1] }
  }
}

describe('GET /operations describes what the operations check', () => {
  test('in the shape of the contract; an edge of a bound is taken and a value beyond it refused, with the code and the field', async () => {
    const { client } = await runningSandbox()
    const { operations } = (await client.admin('GET', '/operations')).body
    expect(operations.length).toBeGreaterThan(30)
    for (const one of operations) expect(described.parse(one)).toEqual(one)
    for (const { parameters } of operations)
      for (const { summary } of parameters) expect(summary).toMatch(/^.{4,}$/)
    // An unknown but well-formed id makes the operation fail after the check of parameters.
    const missing = '00000000-0000-4000-8000-000000000000'
    for (const { name, parameters } of operations as { name: string; parameters: Parameter[] }[]) {
      const given = Object.fromEntries(
        parameters.filter(({ required }) => required).map((p) => [p.name, missing]),
      )
      const call = (more: object) => client.admin('POST', `/operations/${name}`, { ...given, ...more })
      for (const parameter of parameters) {
        const { good, bad } = edges(parameter)
        const told = { code: 'bad-parameter', field: parameter.name, message: expect.stringMatching(/\.$/) }
        for (const value of good) {
          const { body } = await call({ [parameter.name]: value })
          expect([name, value, body.error?.field]).not.toEqual([name, value, parameter.name])
        }
        for (const value of bad) {
          const { status, body } = await call({ [parameter.name]: value })
          expect([name, value, status, body.error]).toEqual([name, value, 400, told])
        }
        if (parameter.required) expect((await call({ [parameter.name]: undefined })).body.error).toEqual(told)
      }
    }
  })

  test('why the generator and a run ended is a code beside the sentence', async () => {
    const { client } = await runningSandbox()
    expect((await client.admin('POST', '/traffic', { rate: 1 })).body).toMatchObject({ reason: null })
    const { body: stopped } = await client.admin('DELETE', '/traffic')
    expect(stopped).toMatchObject({ ended: 'stopped', reason: 'stopped' })
    await client.admin('POST', '/traffic', { rate: 500, count: 1 })
    await expect
      .poll(async () => (await client.admin('GET', '/traffic')).body)
      .toMatchObject({ running: false, ended: 'all events are made', reason: 'done' })
    const { run } = (await client.admin('POST', '/scenarios/month', { count: 20_000, background: true })).body
    expect((await client.admin('DELETE', `/runs/${run}`)).body).toMatchObject({ reason: 'stopped' })
  })

  test('a refused form names its field', async () => {
    const { client } = await runningSandbox()
    const { body } = await client.admin('PUT', '/laboratory', { lose: { share: 2 } })
    expect(body.error).toMatchObject({ code: 'bad-input', field: 'lose.share' })
  })
})

test('traffic and a scenario that cannot go on say why, as a code too', async () => {
  const { client } = await runningSandbox()
  const { body } = await client.admin('POST', '/emit', { kind: 'factura.created', count: 300 })
  const lines = body.events.flatMap((event: { body: string }) => JSON.parse(event.body).data.Lines)
  for (const id of new Set(lines.map(({ ProductId }: { ProductId: string }) => ProductId)))
    await client.admin('POST', '/operations/deactivate-product', { id })
  const why = { running: false, reason: 'failed', failure: 'no-product' }
  await client.admin('POST', '/traffic', { rate: 500 })
  await expect
    .poll(async () => (await client.admin('GET', '/traffic')).body, { timeout: 10_000 })
    .toMatchObject(why)
  expect((await client.admin('POST', '/scenarios/accepted', {})).body).toMatchObject(why)
})
