import type { SafeStorage } from 'electron'
import { SEALED, type SecretCoding } from '#hosts/secrets-file.ts'

export type SecretStore = Pick<
  SafeStorage,
  'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync' | 'getSelectedStorageBackend'
>

export interface SecretProtection {
  /** Encryption of values; without it they are plain text in the 0600 file, as under plain Node. */
  readonly coding?: SecretCoding
  readonly osSecretStore: boolean
  readonly weakSecretStore: boolean
}

/**
 * Finds out how this machine protects secrets. On Linux without a key ring Electron encrypts with a fixed password: we report that as weak
 * and do not use it, since it would only lock out the command line.
 */
export async function secretProtection(
  store: SecretStore,
  platform: NodeJS.Platform,
): Promise<SecretProtection> {
  const weakSecretStore = platform === 'linux' && store.getSelectedStorageBackend() === 'basic_text'
  const usable = !weakSecretStore && (await store.isAsyncEncryptionAvailable().catch(() => false))
  if (!usable) return { osSecretStore: false, weakSecretStore }
  return { coding: sealing(store), osSecretStore: true, weakSecretStore: false }
}

function sealing(store: SecretStore): SecretCoding {
  return {
    encode: async (value) => SEALED + (await store.encryptStringAsync(value)).toString('base64'),
    decode: async (stored) => {
      if (!stored.startsWith(SEALED)) return stored
      const { result } = await store.decryptStringAsync(Buffer.from(stored.slice(SEALED.length), 'base64'))
      return result
    },
  }
}
