import { expect, test } from 'vitest'
import { languageOf } from '#hosts/cli/shared/reconcile-options.ts'

test.each([
  [{}, 'en'],
  [{ LANG: 'es_DO.UTF-8' }, 'es'],
  [{ LANG: 'es' }, 'es'],
  [{ LANG: 'ES-do' }, 'es'],
  [{ LANG: 'en_US.UTF-8' }, 'en'],
  [{ LANG: 'C.UTF-8' }, 'en'],
  [{ LANG: 'fr_FR' }, 'en'],
  [{ LANG: 'est' }, 'en'],
  [{ LC_ALL: '', LC_MESSAGES: 'es_DO', LANG: 'en_US' }, 'es'],
  [{ LC_ALL: 'C', LANG: 'es_DO' }, 'en'],
])('%j: a report is in "%s" unless --language says otherwise', (env, language) => {
  expect(languageOf(env)).toBe(language)
})
