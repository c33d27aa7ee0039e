import type { Params, Result } from '#contract/commands.ts'
import { type CopyCommandName, MOST_COPIED_BODY } from '#contract/copy-commands.ts'
import type { DeliveryDetail } from '#contract/delivery.ts'
import type { Deliveries } from '../ports.ts'
import { bytesOf, jsonOf } from './copied.ts'
import { curlOf } from './curl.ts'

/** An answer that has become so long goes out as it is. */
const MOST_TEXT = 2_000_000

type CopyHandlers = { readonly [C in CopyCommandName]: (params: Params<C>) => Promise<Result<C>> }

/**
 * @param deliveries with credentials covered
 * @param all the same as they came
 * @param mask covers the secrets of a delivery
 */
export function copyHandlers(
  deliveries: Deliveries,
  all: Deliveries,
  mask: (detail: DeliveryDetail) => DeliveryDetail,
): CopyHandlers {
  const bodyOf = async (from: Deliveries, { id, size }: DeliveryDetail): Promise<Uint8Array | null> => {
    if (size > MOST_COPIED_BODY) return null
    const slice = await from.body(id, 'raw', 0, MOST_COPIED_BODY)
    return slice ? bytesOf(slice.bytesBase64) : new Uint8Array()
  }
  return {
    'deliveries.rows': async ({ ids }) => {
      const rows = new Map((await deliveries.rows(ids)).map((row) => [row.id, row]))
      return { rows: ids.flatMap((id) => rows.get(id) ?? []) }
    },
    'deliveries.copy': async ({ ids, as, base, reveal }) => {
      const texts: string[] = []
      let length = 0
      let taken = 0
      for (const id of ids) {
        if (length > MOST_TEXT) break
        taken += 1
        const detail = await deliveries.get(id)
        if (!detail) continue
        const copied = {
          detail: reveal ? detail : mask(detail),
          body: await bodyOf(reveal ? all : deliveries, detail),
        }
        const text = as === 'json' ? jsonOf(copied) : curlOf(copied, base ?? null)
        texts.push(text)
        length += text.length
      }
      return { texts, taken }
    },
  }
}
