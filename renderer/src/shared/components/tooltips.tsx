import { Tooltip as Radix } from 'radix-ui'
import { floatingLayer } from './floating.ts'
import { Kbd } from './kbd.tsx'
import { tipOf } from './tip.ts'
import styles from './tooltips.module.css'
import { useTipped } from './use-tipped.ts'

/**
 * The window's one tooltip, for whatever carries a tip, on hover and on keyboard focus; a key, a press or the wheel hides it.
 * One for all, since one for each button is work and code before the first rows.
 */
export function Tooltips() {
  const tipped = useTipped()
  const tip = tipped && tipOf(tipped)
  if (!tip) return null
  const { left, top, width, height } = tipped.getBoundingClientRect()
  return (
    <Radix.Provider>
      <Radix.Root key={`${left} ${top}`} open>
        <Radix.Trigger asChild>
          <span aria-hidden="true" className={styles.place} style={{ left, top, width, height }} />
        </Radix.Trigger>
        <Radix.Portal container={floatingLayer()}>
          <Radix.Content
            className={styles.tooltip}
            side={tip.side ?? 'bottom'}
            sideOffset={6}
            collisionPadding={8}
          >
            {tip.content}
            {tip.kbd === undefined ? null : <Kbd>{tip.kbd}</Kbd>}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  )
}
