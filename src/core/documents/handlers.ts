import type { Params, Result } from '#contract/commands.ts'
import type { DocumentCommandName } from '#contract/document-commands.ts'
import { AcuseError } from '#contract/errors.ts'
import { readFilter } from '../filter/read.ts'
import type { Deliveries } from '../ports.ts'
import { documentFilter } from './document-filter.ts'

type DocumentHandlers = {
  readonly [C in DocumentCommandName]: (params: Params<C>) => Promise<Result<C>>
}

/** Documents, as their captured events tell of them. */
export function documentHandlers(deliveries: Deliveries): DocumentHandlers {
  return {
    'documents.page': async ({ query, ...params }) =>
      deliveries.documents(documentFilter(readFilter(query)), params),
    'documents.get': async ({ key }) => {
      const life = await deliveries.document(key)
      if (!life)
        throw new AcuseError('not-found', `No delivery of document ${key.slice(0, 80)} is stored.`, { key })
      return life
    },
  }
}
