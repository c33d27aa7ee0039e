import { useFilter } from '@/shared/deliveries/filter.ts'
import { list } from '@/shared/deliveries/list.ts'
import { useSelection } from '@/shared/live/pointing.ts'
import { useRoute } from '@/shared/live/route.ts'

/** The list's state in a link: `#/stream?filter=is:late&id=42`. */
interface Link {
  /** Null: not given. Empty: no filter. */
  readonly filter: string | null
  /** The delivery whose details are open. */
  readonly id: number | null
}

export function linkOf(hash: string): Link {
  const said = new URLSearchParams(/^#\/(?:stream)?\?(.*)$/s.exec(hash)?.[1] ?? '')
  const id = said.get('id') ?? ''
  return { filter: said.get('filter'), id: /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null }
}

export const namesList = (hash: string): boolean => /^(?:#\/?(?:stream)?(?:\?.*)?)?$/s.test(hash)

export function streamHash({ filter, id }: Link): string {
  const said = new URLSearchParams()
  if (filter) said.set('filter', filter)
  if (id !== null) said.set('id', String(id))
  const query = said.toString()
  return query === '' ? '#/stream' : `#/stream?${query}`
}

async function goTo(id: number): Promise<void> {
  const { openDelivery } = await import('@/shared/deliveries/open-delivery.ts')
  if (useSelection.getState().id !== id) await openDelivery(id, null)
}

/** Scrolls the list to the delivery of a link once the list has rows; before that its position is unknown. */
function whenListed(id: number): void {
  const stop = list.subscribe(() => {
    if (list.state().loading !== null) return
    stop()
    void goTo(id)
  })
}

/**
 * Applies filter and details from the hash, and writes their changes to it: a reload, a second window and a copied address
 * show the same. Call it once, before the first render.
 */
export function followPlace(): void {
  const { filter, id } = linkOf(location.hash)
  if (filter) useFilter.getState().restore(filter)
  if (id !== null) whenListed(id)
  const write = () => {
    // The first address names no screen and shows the list.
    if (!['', 'stream'].includes(useRoute.getState().screen)) return
    // During navigation to another screen the address changes before the store.
    if (!namesList(location.hash)) return
    const hash = streamHash({ filter: list.wanted(), id: useSelection.getState().id })
    if (hash === location.hash || (hash === '#/stream' && location.hash === '')) return
    // The requested delivery stays in the address until the list has loaded.
    if (linkOf(location.hash).id === id && list.state().loading === 'first') return
    history.replaceState(null, '', hash)
  }
  globalThis.addEventListener('hashchange', () => {
    const said = linkOf(location.hash)
    if (said.filter !== null && said.filter !== list.wanted()) useFilter.getState().set(said.filter)
    if (said.id === null) write()
    else void goTo(said.id)
  })
  list.subscribe(write)
  useSelection.subscribe(write)
}
