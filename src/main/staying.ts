import { join } from 'node:path'
import type { Settings } from '#contract/settings.ts'
import { readIfThere, writeAtomically } from '#hosts/atomic-file.ts'

/** Whether the app goes on, and with it the receiver, when its last window is closed: as it was chosen, else as the platform's programs do. */
export const staysOpen = ({ desktop }: Pick<Settings, 'desktop'>, platform: NodeJS.Platform): boolean =>
  desktop.keepReceiving ?? platform === 'darwin'

/**
 * Says something once per data folder, ever.
 * @param say is called the first time
 */
export async function sayOnce(folder: string, say: () => void): Promise<void> {
  const path = join(folder, 'told-staying')
  if ((await readIfThere(path).catch(() => '')) !== undefined) return
  say()
  // A folder that cannot be written means that it is said again, which is better than never.
  await writeAtomically(path, '').catch(() => undefined)
}
