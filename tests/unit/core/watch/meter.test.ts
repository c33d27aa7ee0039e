import { expect, it } from 'vitest'
import { exposition, Meter } from '#core/watch/meter.ts'
import { readMetrics } from '../../../support/prometheus-text.ts'
import { RecordingCapture } from '../../../support/recording-capture.ts'
import { aDelivery } from '../../../support/store.ts'

const answering = (status: number) => aDelivery({ answer: { status, headers: [], body: new Uint8Array() } })

it('counts each answer once by its status, also one that goes out 20,000 deliveries later, in buckets that include their bound', async () => {
  const recording = new RecordingCapture()
  const meter = new Meter()
  const capture = meter.watching(recording)
  const late = await capture.append(answering(202))
  for (let n = 0; n < 20_000; n++) capture.answered((await capture.append(answering(200))).id, 1_000)
  const instead = await capture.append(answering(200))
  capture.answered(instead.id, 30_000_000, {
    by: null,
    answer: { status: 503, headers: [], body: new Uint8Array() },
  })
  const gone = await capture.append(answering(200))
  capture.answered(gone.id, null, { by: null, answer: null })
  capture.answered(late.id, 60_000_000)
  await capture.append(aDelivery({ answer: null }))
  recording.failure = new Error('full')
  await expect(capture.append(answering(200))).rejects.toThrow()

  const metrics = readMetrics(exposition(meter.families()))
  const of = (name: string) => Object.fromEntries(metrics.get(name)?.samples ?? [])
  expect(of('acuse_deliveries_total')).toEqual({
    'acuse_deliveries_total{answer="none"}': 2,
    'acuse_deliveries_total{answer="200"}': 20_000,
    'acuse_deliveries_total{answer="202"}': 1,
    'acuse_deliveries_total{answer="503"}': 1,
  })
  expect(of('acuse_deliveries_unstored_total')).toEqual({ acuse_deliveries_unstored_total: 1 })
  expect(of('acuse_answer_seconds')).toMatchObject({
    'acuse_answer_seconds_bucket{le="0.0005"}': 0,
    'acuse_answer_seconds_bucket{le="0.001"}': 20_000,
    'acuse_answer_seconds_bucket{le="30"}': 20_001,
    'acuse_answer_seconds_bucket{le="+Inf"}': 20_002,
  })
})
