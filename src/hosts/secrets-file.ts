import { join } from 'node:path'
import { z } from 'zod'
import { refused } from '#contract/errors.ts'
import type { Secrets } from '#core/ports.ts'
import { readIfThere, writingInTurn } from './atomic-file.ts'

const FILE = 'secrets.json'

/** Encoding of values in the file: plain text in Node, encrypted by the system's store in Electron. */
export interface SecretCoding {
  encode(value: string): Promise<string>
  decode(stored: string): Promise<string>
}

/** Prefix of values that the desktop app has encrypted, so that no other process uses the encrypted text as the secret. */
export const SEALED = 'acuse-os-sealed:'

const PLAIN: SecretCoding = {
  encode: async (value) => value,
  async decode(stored) {
    if (stored.startsWith(SEALED)) throw refused('not-available', 'secrets-sealed', { file: FILE })
    return stored
  },
}

/** @throws AcuseError `store-failed` for an invalid file: without the secrets Acuse would accept deliveries that it must reject */
export async function openSecrets(folder: string, coding: SecretCoding = PLAIN): Promise<Secrets> {
  const path = join(folder, FILE)
  const values = await load(path)
  const write = writingInTurn(path)
  return {
    async get(key) {
      const stored = values.get(key)
      return stored === undefined ? undefined : coding.decode(stored)
    },
    async set(key, value) {
      if (value === undefined ? !values.delete(key) : !values.set(key, await coding.encode(value))) return
      await write(() => JSON.stringify(Object.fromEntries(values)))
    },
  }
}

async function load(path: string): Promise<Map<string, string>> {
  const content = await readIfThere(path)
  if (content === undefined) return new Map()
  try {
    return new Map(Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(content))))
  } catch {
    throw refused('store-failed', 'secrets-unreadable', { path })
  }
}
