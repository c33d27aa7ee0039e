import { useCallback, useEffect, useState } from 'react'
import { useAction } from '@/shared/components/use-action.ts'
import { useSandbox } from './sandbox.ts'

/**
 * A list that the sandbox keeps, as last read.
 * @param known how many the sandbox says there are: another number means that the command line changed the list
 * @param read asks for it; must be the same function at every draw
 */
export function useKeptList<T>(known: number | undefined, read: () => Promise<readonly T[]>) {
  const refresh = useSandbox((s) => s.refresh)
  const [items, setItems] = useState<readonly T[] | null>(null)
  const reading = useAction()
  const take = useCallback(async () => setItems(await read()), [read])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number stands for the list; the action only reports
  useEffect(() => {
    void reading.run(take)
  }, [known, take])
  /** After a change of our own. */
  const reload = async () => {
    await take()
    await refresh()
  }
  return { items, refusal: reading.refusal, reload }
}
