import { expect, test } from 'vitest'
import { outcomeText } from '@/shared/attempts/attempt-words.ts'

test('choices among attempts are named in words, not by the codes of the contract', () => {
  const row = { status: null, error: null, state: 'failed' } as const
  const error = { code: 'own-receiver', message: '', params: {} } as const
  const word = (key: string) => `<${key}>`
  expect(outcomeText({ ...row, status: 418 }, word)).toBe('418')
  expect(outcomeText({ ...row, status: 200, error }, word)).toBe('200')
  expect(outcomeText({ ...row, error }, word)).toBe('<errorWords.own-receiver>')
  expect(outcomeText({ ...row, state: 'sending' }, word)).toBe('<attempts.sending>')
  expect(outcomeText({ ...row, state: 'uncertain' }, word)).toBe('<attempts.uncertain>')
})
