import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SandboxState } from '#contract/sandbox.ts'
import { ConfirmAction } from '@/shared/components/confirm-action.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useSandbox } from './sandbox.ts'

interface KeptList<T> {
  /** How many the sandbox says there are: another number means that the command line changed the list. */
  readonly known: (state: SandboxState) => number
  readonly read: () => Promise<readonly T[]>
  readonly remove: (item: T) => Promise<unknown>
  /** The question before one is removed. */
  readonly asks: {
    readonly title: 'removeTitle' | 'keys.revokeTitle'
    readonly text: 'subscriptions.removeText' | 'keys.revokeText' | 'keys.removeText'
    readonly confirm: 'remove' | 'keys.revoke'
  }
}

/** A list that the sandbox keeps, as last read, with one item of it being edited or about to be removed. */
export function useKeptList<T extends { readonly name: string }>(list: KeptList<T>) {
  const { t } = useTranslation('sandbox')
  const known = useSandbox((s) => s.state && list.known(s.state))
  const refresh = useSandbox((s) => s.refresh)
  const [items, setItems] = useState<readonly T[] | null>(null)
  /** null: a new one. */
  const [edited, edit] = useState<T | null>()
  const [removed, askRemoval] = useState<T>()
  const reading = useAction()
  const action = useAction()
  const take = async () => setItems(await list.read())
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number stands for the list
  useEffect(() => {
    void reading.run(take)
  }, [known])
  /** After a change of our own. */
  const reload = async () => {
    await take()
    await refresh()
  }
  const close = () => {
    edit(undefined)
    askRemoval(undefined)
  }
  const remove = async (item: T) => {
    const done = await action.run(async () => {
      await list.remove(item)
      await reload()
    })
    if (done) close()
  }
  const refused: ReactNode = (
    <>
      <Refused refusal={reading.refusal} />
      {edited === undefined && removed === undefined ? <Refused refusal={action.refusal} /> : null}
    </>
  )
  const question: ReactNode = removed ? (
    <ConfirmAction
      action={action}
      title={t(list.asks.title, { name: removed.name })}
      confirmLabel={t(list.asks.confirm)}
      onConfirm={() => void remove(removed)}
      onCancel={close}
    >
      {t(list.asks.text)}
    </ConfirmAction>
  ) : null
  return { items, action, reload, edited, edit, askRemoval, close, refused, question }
}
