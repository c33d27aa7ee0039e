import { expect, test } from 'vitest'
import { TROUBLES } from '#core/file-trouble.ts'
import { systemText } from '@/shared/i18n/system-words.ts'

test('each file error that Acuse can name has Spanish words, and English stays as it is', () => {
  const troubles = Object.values(TROUBLES)
  expect(
    troubles.filter((one) => systemText(`The log cannot be written: ${one}.`, 'es').includes(one)),
  ).toEqual([])
  expect(troubles.map((one) => systemText(one, 'en'))).toEqual(troubles)
  expect(systemText('database or disk is full', 'es')).toBe('el disco está lleno')
  expect(systemText('E_NEVER_SEEN', 'es')).toBe('E_NEVER_SEEN')
})
