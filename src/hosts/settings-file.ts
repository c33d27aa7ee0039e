import { statSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import { messageOf } from '#contract/errors.ts'
import type { Settings } from '#contract/settings.ts'
import { secretHeadersOf, stillCovering } from '#core/endpoints.ts'
import type { SettingsStore } from '#core/ports.ts'
import { inTurn, readIfThere, writeAtomically } from './atomic-file.ts'
import { openSecretHeaders } from './memories.ts'
import { isObject, readSettings } from './settings-reading.ts'

/** Not in the database: when a damaged store is set aside, the endpoints must stay. */
const FILE = 'settings.json'

/**
 * Opens the settings of a data folder. Missing members take their defaults. Acuse reports each invalid entry separately and loses
 * none: it copies such a file before the first write, and sets an unreadable file aside. So a typo in a hand-edited file
 * does not cost the user the other settings. Headers that ever carried a secret stay masked.
 */
export async function openSettings(folder: string, warn: (message: string) => void): Promise<SettingsStore> {
  const path = join(folder, FILE)
  const { settings, secretHeaders, keep } = await load(path, warn)
  const inUse = new Set([...secretHeadersOf(settings), ...secretHeaders])
  const headers = await openSecretHeaders(folder, inUse, warn)
  let present = stillCovering(settings, new Set([...headers.names(), ...secretHeaders]))
  let original = keep
  const turn = inTurn()
  return {
    get: () => present,
    change(change) {
      const next = change(present)
      present = next
      return turn(async () => {
        if (original?.content === null) await rename(path, original.as)
        else if (original) await writeAtomically(original.as, (await readIfThere(path)) ?? original.content)
        original = null
        // Names first: after a crash in between, Acuse masks too much instead of too little.
        await headers.remember(secretHeadersOf(next))
        await writeAtomically(path, `${JSON.stringify(next, null, 2)}\n`)
        return next
      })
    },
  }
}

interface Loaded {
  readonly settings: Settings
  /** Lower-case names, those of refused entries included. */
  readonly secretHeaders: ReadonlySet<string>
  /** Copy of the original to keep before the first write; null when all of the file is in use. `content` is null for an unreadable file. */
  readonly keep: { readonly as: string; readonly content: string | null } | null
}
const NOTHING: Loaded = { settings: DEFAULT_SETTINGS, secretHeaders: new Set(), keep: null }

async function load(path: string, warn: (message: string) => void): Promise<Loaded> {
  let content: string | undefined
  try {
    content = await readIfThere(path)
  } catch (error) {
    // Start with defaults: a receiver that does not start loses every delivery.
    const as = `${path}.unreadable-${Date.now()}`
    warn(
      `${messageOf(error)} The defaults are in use, so no endpoint asks for a secret. Make the file readable and start again; before Acuse changes the settings it sets that file aside as ${as}.`,
    )
    return { ...NOTHING, keep: { as, content: null } }
  }
  if (content === undefined) return NOTHING
  const owner = statSync(path, { throwIfNoEntry: false })?.uid
  if (process.getuid && owner !== undefined && owner !== process.getuid())
    warn(`${path} belongs to another user, who can change what Acuse does. It is in use as it stands.`)
  const file = parsed(content)
  if ('reason' in file) {
    const aside = `${path}.unreadable-${Date.now()}`
    await rename(path, aside)
    warn(
      `The settings could not be read (${file.reason}). They were set aside as ${aside} and the defaults are in use.`,
    )
    return NOTHING
  }
  const { refused, ...read } = readSettings(file.members)
  if (refused.length === 0) return { ...read, keep: null }
  const as = `${path}.refused-${Date.now()}`
  for (const { what, why } of refused)
    warn(
      `${what} (${why}): correct it in ${path} while Acuse is not running; before Acuse changes that file it keeps it as ${as}.`,
    )
  return { ...read, keep: { as, content } }
}

function parsed(
  content: string,
): { readonly members: Readonly<Record<string, unknown>> } | { readonly reason: string } {
  try {
    const members: unknown = JSON.parse(content)
    return isObject(members) ? { members } : { reason: 'it holds no object' }
  } catch (error) {
    return { reason: messageOf(error) }
  }
}
