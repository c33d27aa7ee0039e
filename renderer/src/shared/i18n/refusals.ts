import { useTranslation } from 'react-i18next'
import { type Refusal, refusalSentence } from '#contract/errors.ts'
import { useLanguage } from './format.ts'
import sandbox from './sandbox-refusals.es.json'

export const SANDBOX_REFUSALS: Readonly<Record<string, string>> = sandbox

/** The sentence in the window's language: of `details.why`, of the sandbox's own code, or what the code alone can say. */
export function useRefusalText(): (refusal: Refusal) => string {
  const { t } = useTranslation('errors')
  const language = useLanguage()
  return ({ code, message, details }) => {
    const said =
      refusalSentence({ code, details }, language) ??
      (language === 'es' ? SANDBOX_REFUSALS[String(details?.sandbox)] : undefined)
    if (said !== undefined) return said
    const place = language === 'es' && code === 'bad-params' ? (details?.path ?? '') : ''
    return `${t(code, { message })}${place && ` (${place})`}`
  }
}
