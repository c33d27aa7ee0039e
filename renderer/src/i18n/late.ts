import { type ComponentType, lazy } from 'react'
import { type LateTexts, loadTexts } from './late-texts.ts'

/** A component that comes with its texts when it is first drawn. @param namespaces its texts, see late-texts.ts */
export const late = <P extends object>(
  namespaces: readonly (keyof LateTexts)[],
  load: () => Promise<ComponentType<P>>,
) =>
  lazy(async () => {
    const [component] = await Promise.all([load(), ...namespaces.map(loadTexts)])
    return { default: component }
  })
