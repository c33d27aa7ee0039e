import type { FlatNamespace } from 'i18next'
import { type ComponentType, lazy } from 'react'
import { loadTexts } from './late-texts.ts'

/** A component that comes with its texts when it is first drawn. @param namespaces its texts */
export const late = <P extends object>(
  namespaces: readonly FlatNamespace[],
  load: () => Promise<ComponentType<P>>,
) =>
  lazy(async () => {
    const [component] = await Promise.all([load(), ...namespaces.map(loadTexts)])
    return { default: component }
  })
