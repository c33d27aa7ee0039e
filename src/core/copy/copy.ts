import type { Params, Result } from '#contract/commands.ts'
import type { DeliveryDetail } from '#contract/delivery.ts'
import { MOST_COPIED_BODY } from '#contract/values.ts'
import type { Deliveries } from '../ports.ts'
import { bytesOf, jsonOf } from './copied.ts'
import { curlOf } from './curl.ts'

/** An answer that has become so long goes out as it is. */
const MOST_TEXT = 2_000_000

/**
 * Writes deliveries out for another program, in the order of the ids, up to the bound of an answer.
 * @param deliveries with credentials masked
 * @param all the same as received
 * @param mask masks the secrets of a delivery
 */
export async function copyDeliveries(
  deliveries: Deliveries,
  all: Deliveries,
  mask: (detail: DeliveryDetail) => DeliveryDetail,
  { ids, as, base, reveal }: Params<'deliveries.copy'>,
): Promise<Result<'deliveries.copy'>> {
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
}

/** Null for a body that is too long to be copied. */
async function bodyOf(deliveries: Deliveries, { id, size }: DeliveryDetail): Promise<Uint8Array | null> {
  if (size > MOST_COPIED_BODY) return null
  const slice = await deliveries.body(id, 'raw', 0, MOST_COPIED_BODY)
  return slice ? bytesOf(slice.bytesBase64) : new Uint8Array()
}
