import type { Params } from '#contract/commands.ts'
import type { Engine } from '#core/engine/engine.ts'

/** Reads an export to its end, as every client does. */
export async function exported(
  engine: Engine,
  params: Omit<Params<'export.open'>, 'source'> & Partial<Pick<Params<'export.open'>, 'source'>>,
) {
  const { id } = await engine.call('export.open', { source: { type: 'filter', filter: '' }, ...params })
  const parts: Buffer[] = []
  for (;;) {
    const { bytesBase64, done } = await engine.call('export.read', { id })
    if (done) return Buffer.concat(parts)
    parts.push(Buffer.from(bytesBase64, 'base64'))
  }
}

/** Imports a file to its end. */
export async function imported(
  engine: Engine,
  name: string,
  content: Uint8Array | string,
  more: object = {},
) {
  const { id } = await engine.call('import.open', { name, ...more })
  const bytes = Buffer.from(content)
  for (let at = 0; at < bytes.length; at += 1_000_000)
    await engine.call('import.write', {
      id,
      bytesBase64: bytes.subarray(at, at + 1_000_000).toString('base64'),
    })
  await engine.call('import.run', { id })
  for (;;) {
    const state = await engine.call('import.get', { id })
    if (state.state !== 'reading') {
      await engine.call('import.close', { id })
      return state
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
