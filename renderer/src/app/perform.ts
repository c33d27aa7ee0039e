import type { Action } from '@/shared/actions/action.ts'
import { type ScreenName, useRoute } from '@/shared/live/route.ts'
import { isAlone } from './actions.ts'
import { routeNamed } from './routes.tsx'

/** The rendered screen; it may lag behind the route. */
let drawn: ScreenName | null = null
let waiting: Action | null = null

/** Reports the rendered screen, ready for its actions; null while there is none. */
export function screenDrawn(screen: ScreenName | null): void {
  drawn = screen
  if (!waiting || waiting.on !== screen) return
  const { run } = waiting
  waiting = null
  run()
}

/** Whether the window shows the screen that an action needs. */
export const isOnItsScreen = ({ on }: Action): boolean =>
  on === undefined || isAlone() || (on === drawn && on === routeNamed(useRoute.getState().screen).name)

/**
 * Runs an action if it is available. An action of another screen opens that screen and runs once it is rendered.
 * @param key the key pressed for it
 * @returns whether it ran, or will
 */
export function perform(action: Action, key?: string): boolean {
  if (action.when?.() != null) return false
  waiting = null
  if (isOnItsScreen(action)) action.run(key)
  else if (action.on) {
    waiting = action
    useRoute.getState().go(action.on)
  }
  return true
}
