import type { Params, Result } from '#contract/commands.ts'
import type { TrashCommandName } from '#contract/trash-commands.ts'
import { readFilter } from './filter/read.ts'
import type { TrashBin } from './ports.ts'

type TrashHandlers = { readonly [C in TrashCommandName]: (params: Params<C>) => Promise<Result<C>> }

/** Deletions that can be undone. */
export function trashHandlers(trash: TrashBin): TrashHandlers {
  return {
    'deliveries.trash': async ({ ids, filter = '', upTo = null }) =>
      trash.add(ids ? { ids } : { filter: readFilter(filter), text: filter, upTo }),
    'deliveries.restore': async ({ batch }) => ({ deliveries: await trash.restore(batch) }),
    'trash.list': async () => ({ batches: await trash.list() }),
    'trash.empty': async ({ batch = null }) => trash.empty(batch),
  }
}
