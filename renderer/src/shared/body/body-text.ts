import { newBody } from './client.ts'
import type { BodySource } from './open-body.ts'

/** Read for a comparison; what is longer is compared by its beginning. */
export const TEXT_READ = 1024 * 1024

export interface BodyText {
  /** Pretty where it is JSON, as it came where it is text, hexadecimal where it is neither. */
  readonly text: string
  readonly nature: 'json' | 'text' | 'binary' | 'empty'
  /** Bytes of the whole. */
  readonly total: number
  readonly cut: boolean
}

/** A body as text to compare. The digits and escapes of JSON stay as they came. */
export async function bodyText(source: BodySource): Promise<BodyText> {
  const { bytesBase64, total, problem } = await source.read(0, TEXT_READ)
  if (problem !== null) throw new Error(problem)
  const handle = newBody()
  try {
    await handle.call('open', { bytes: Math.min(total, TEXT_READ) })
    await handle.call('feed', { base64: bytesBase64 })
    const { nature } = await handle.call('read', { whole: total <= TEXT_READ })
    if (nature === 'empty') return { text: '', nature, total, cut: false }
    const view = nature === 'json' ? 'pretty' : nature === 'binary' ? 'hex' : 'text'
    const { text } = await handle.call('text', { view })
    return { text, nature, total, cut: total > TEXT_READ }
  } finally {
    handle.call('close', {}).catch(() => undefined)
  }
}
