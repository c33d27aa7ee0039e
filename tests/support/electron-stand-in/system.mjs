import { EventEmitter } from 'node:events'
import http from 'node:http'
import https from 'node:https'

const display = {
  id: 1,
  bounds: { x: 0, y: 0, width: 1920, height: 1080 },
  workArea: { x: 0, y: 0, width: 1920, height: 1040 },
}
export const screen = { getPrimaryDisplay: () => display, getAllDisplays: () => [display] }

/** Electron's network, by Node's: no proxy, no cache. */
export const net = { request: (options) => (options.protocol === 'https:' ? https : http).request(options) }

/** Squirrel of macOS and Windows; on Linux only its events are used. */
export const autoUpdater = new EventEmitter()

export const nativeTheme = { shouldUseDarkColors: false, themeSource: 'system' }

/** Simulates Linux without a key ring: Electron then encrypts with a fixed password, and apps must say so. */
export const safeStorage = {
  isAsyncEncryptionAvailable: async () => true,
  encryptStringAsync: async (text) => Buffer.from(`v10${Buffer.from(text).toString('base64')}`),
  decryptStringAsync: async (sealed) => ({
    result: Buffer.from(sealed.toString().slice(3), 'base64').toString(),
    shouldReEncrypt: false,
  }),
  getSelectedStorageBackend: () => process.env.STAND_IN_KEY_RING ?? 'basic_text',
}
