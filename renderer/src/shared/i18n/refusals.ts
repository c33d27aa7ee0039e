import { useTranslation } from 'react-i18next'
import { type Refusal, type RefusalSentences, refusalSentence } from '#contract/errors.ts'
import { useLanguage } from './format.ts'

/** The sentence in the window's language: of `details.why`, of the sandbox's own code, or what the code alone can say. */
export function useRefusalText(): (refusal: Refusal) => string {
  const { t, i18n } = useTranslation('errors')
  const language = useLanguage()
  return ({ code, message, details }) => {
    if (language === 'en') return details?.why === undefined ? t(code, { message }) : message
    const sentences: RefusalSentences = i18n.getResourceBundle('es', 'refusals') ?? {}
    const said =
      refusalSentence({ code, details }, sentences) ?? sentences.sandbox?.[String(details?.sandbox)]
    if (said !== undefined) return said
    const place = code === 'bad-params' ? (details?.path ?? '') : ''
    return `${t(code, { message })}${place && ` (${place})`}`
  }
}
