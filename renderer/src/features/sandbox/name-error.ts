import { useTranslation } from 'react-i18next'
import { oddCharacter } from './odd-character.ts'

/** Those that the sandbox issues to itself at each start go by this name. */
const OWN_NAME = 'Acuse'
const LONGEST = 200

export interface NameRule {
  /** It may be left empty. */
  readonly optional?: boolean
  /** It is one of names among which the sandbox has its own. */
  readonly own?: boolean
}

/** @returns a function that says what is wrong with a name and what to do, or null: what the sandbox would refuse */
export function useNameError(): (name: string, rule?: NameRule) => string | null {
  const { t } = useTranslation('sandbox')
  return (name, { optional = false, own = false } = {}) => {
    const odd = oddCharacter(name)
    if (odd) return t('names.character', { ...odd })
    const text = name.trim()
    if (text === '' && !optional) return t('names.length', { most: LONGEST })
    if (text.length > LONGEST) return t('names.long', { most: LONGEST, length: text.length })
    return own && text === OWN_NAME ? t('names.own', { name: OWN_NAME }) : null
  }
}
