import { describe, expect, it } from 'vitest'
import type { RunPorts } from '#core/schedules/ports.ts'
import { tell } from '#core/schedules/run.ts'

/** A host of which so many looks find deliveries that are not analysed yet. */
function rig(looks: number) {
  const asked: string[] = []
  const call = async (command: string) => {
    asked.push(command)
    if (command === SETTLED) return { unjudged: asked.length <= looks ? 7 : 0 }
    return { rows: [], total: 0 }
  }
  return { ports: { call, memory: () => ({ told: [] }) } as unknown as RunPorts, asked }
}

const { signal } = new AbortController()
const SETTLED = 'deliveries.settled'

describe('what a scheduled run tells', () => {
  it('compares once everything is analysed: what waits for that would count as missed', async () => {
    const { ports, asked } = rig(3)
    expect(await tell(ports, 1, signal)).toEqual({ missing: 0, differs: 0, fresh: 0, keys: [] })
    expect(asked).toEqual([...Array(4).fill(SETTLED), 'reconciliation.summary', 'reconciliation.rows'])
  })

  it('compares nothing where the analysis never comes to its end', async () => {
    const { ports, asked } = rig(Number.POSITIVE_INFINITY)
    await expect(tell(ports, 1, signal)).rejects.toMatchObject({ code: 'not-available' })
    expect(new Set(asked)).toEqual(new Set([SETTLED]))
  })
})
