import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSecrets } from '#hosts/secrets-file.ts'
import { type SecretStore, secretProtection } from '../../../src/main/secrets.ts'
import { tempFolder } from '../../support/temp-folder.ts'

type Backend = ReturnType<SecretStore['getSelectedStorageBackend']>

/** "Encrypts" by reversing the text, which shows whether a value was encrypted. */
const store = (backend: Backend, available = true): SecretStore => ({
  getSelectedStorageBackend: () => backend,
  isAsyncEncryptionAvailable: () => (available ? Promise.resolve(true) : Promise.reject(new Error('locked'))),
  encryptStringAsync: async (text) => Buffer.from([...text].reverse().join('')),
  decryptStringAsync: async (sealed) => ({
    result: [...sealed.toString()].reverse().join(''),
    shouldReEncrypt: false,
  }),
})

it('secrets in the desktop app (architecture, Security): are sealed by the system where it has a store', async () => {
  const folder = tempFolder()
  const { coding, ...found } = await secretProtection(store('gnome_libsecret'), 'linux')
  expect(found).toEqual({ osSecretStore: true, weakSecretStore: false })
  await (await openSecrets(folder, coding)).set('key', 'very secret')
  expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).not.toContain('very secret')
  expect(await (await openSecrets(folder, coding)).get('key')).toBe('very secret')
})
it('secrets in the desktop app: written by the plain-Node host stay readable', async () => {
  const folder = tempFolder()
  await (await openSecrets(folder)).set('key', 'plain')
  const { coding } = await secretProtection(store('kwallet6'), 'linux')
  expect(await (await openSecrets(folder, coding)).get('key')).toBe('plain')
})
it.each([
  ['is basic_text, which is called weak', store('basic_text'), true],
  ['cannot be used', store('unknown', false), false],
])('secrets in the desktop app: go to the file when the store %s', async (_, found, weakSecretStore) => {
  expect(await secretProtection(found, 'linux')).toEqual({ osSecretStore: false, weakSecretStore })
})
