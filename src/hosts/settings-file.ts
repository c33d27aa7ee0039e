import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { PARAMS } from '#contract/commands.ts'
import { FILTER_PARAMS } from '#contract/filter-commands.ts'
import { type Connection, DEFAULT_CONNECTION } from '#contract/reconcile.ts'
import { RECONCILE_PARAMS } from '#contract/reconcile-commands.ts'
import type { Target } from '#contract/replay.ts'
import { SCHEDULE_PARAMS, type Schedule } from '#contract/schedules.ts'
import {
  DEFAULT_ENDPOINT,
  DEFAULT_SETTINGS,
  type Endpoint,
  type SavedFilter,
  type Settings,
} from '#contract/settings.ts'
import { secretHeadersOf, stillCovering } from '#core/endpoints.ts'
import type { SettingsStore } from '#core/ports.ts'
import { readIfThere, writeAtomically } from './atomic-file.ts'
import { openSecretHeaders } from './secret-header-memory.ts'

/** Outside the database on purpose: a damaged store that is set aside must not take the endpoints with it. */
const FILE = 'settings.json'

const stored = z.object({
  receiver: z.unknown().optional(),
  endpoints: z.array(z.unknown()).optional(),
  formerSecretHeaders: z.array(z.string()).optional(),
  targets: z.array(z.unknown()).optional(),
  defaultTarget: z.string().nullable().optional(),
  connections: z.array(z.unknown()).optional(),
  savedFilters: z.array(z.unknown()).optional(),
  schedules: z.array(z.unknown()).optional(),
  retention: z.unknown().optional(),
  desktop: z.unknown().optional(),
  appearance: z.unknown().optional(),
})
const secret = z.object({ header: z.string(), values: z.union([z.literal(1), z.literal(2)]) }).nullable()
const place = z.enum(['none', 'stored', 'environment']).default('none')

/**
 * Opens the settings of a data folder. What is missing takes its default; what cannot be understood is set aside and said, never
 * overwritten: a hand-edited file with a typo must not cost its author the rest. Headers that carried a secret under Acuse before stay
 * covered, whatever was done to the file by hand since.
 * @param warn receives a sentence for the person
 */
export async function openSettings(folder: string, warn: (message: string) => void): Promise<SettingsStore> {
  const path = join(folder, FILE)
  const read = await load(path, warn)
  const headers = await openSecretHeaders(folder, secretHeadersOf(read), warn)
  let present = stillCovering(read, headers.names())
  let writing: Promise<unknown> = Promise.resolve()
  return {
    get: () => present,
    change(change) {
      const next = change(present)
      present = next
      const written = writing.then(async () => {
        // First the names: whatever a crash leaves behind covers too much rather than too little.
        await headers.remember(secretHeadersOf(next))
        await writeAtomically(path, `${JSON.stringify(next, null, 2)}\n`)
      })
      writing = written.catch(() => {})
      return written.then(() => next)
    },
  }
}

async function load(path: string, warn: (message: string) => void): Promise<Settings> {
  const content = await readIfThere(path)
  if (content === undefined) return DEFAULT_SETTINGS
  try {
    return understand(JSON.parse(content))
  } catch (error) {
    const aside = `${path}.unreadable-${Date.now()}`
    await rename(path, aside)
    const reason = error instanceof Error ? error.message : String(error)
    warn(
      `The settings could not be read (${reason}). They were set aside as ${aside} and the defaults are in use.`,
    )
    return DEFAULT_SETTINGS
  }
}

/** @throws when a member is not what it should be */
function understand(content: unknown): Settings {
  const file = stored.parse(content)
  // The same rules as at the boundary: what no command could have written is not read either.
  PARAMS['settings.update'].parse({
    receiver: file.receiver,
    retention: file.retention,
    desktop: file.desktop,
    appearance: file.appearance,
  })
  const endpoints = (file.endpoints ?? []).map(readEndpoint)
  const targets = (file.targets ?? []).map((target) => PARAMS['targets.save'].parse(target) as Target)
  const connections = (file.connections ?? []).map(readConnection)
  const schedules = (file.schedules ?? []).map(
    (schedule) => SCHEDULE_PARAMS['schedules.save'].parse(schedule) as Schedule,
  )
  const chosen = file.defaultTarget
  return {
    receiver: { ...DEFAULT_SETTINGS.receiver, ...asObject(file.receiver) },
    endpoints: endpoints.some((endpoint) => endpoint.path === '/')
      ? endpoints
      : [DEFAULT_ENDPOINT, ...endpoints],
    ...(file.formerSecretHeaders ? { formerSecretHeaders: file.formerSecretHeaders } : {}),
    targets,
    connections,
    schedules: schedules.filter(({ connection }) => connections.some(({ name }) => name === connection)),
    defaultTarget: targets.some(({ name }) => name === chosen) ? (chosen ?? null) : null,
    savedFilters: (file.savedFilters ?? []).map(
      (saved) => FILTER_PARAMS['filters.save'].parse(saved) as SavedFilter,
    ),
    retention: { ...DEFAULT_SETTINGS.retention, ...asObject(file.retention) },
    desktop: { ...DEFAULT_SETTINGS.desktop, ...asObject(file.desktop) },
    appearance: { ...DEFAULT_SETTINGS.appearance, ...asObject(file.appearance) },
  }
}

function readEndpoint(value: unknown): Endpoint {
  const { secret: secretPart, ...rest } = z.looseObject({ secret: secret.optional() }).parse(value)
  return { ...(PARAMS['endpoints.save'].parse(rest) as Omit<Endpoint, 'secret'>), secret: secretPart ?? null }
}

/** Places of credentials are found out anew at every start; the environment is another one then. */
function readConnection(value: unknown): Connection {
  const { apiKey, pluginToken, ...rest } = z.looseObject({ apiKey: place, pluginToken: place }).parse(value)
  // What an Acuse before did not know of yet is as in a new connection.
  const { documentTypes } = DEFAULT_CONNECTION
  const known = RECONCILE_PARAMS['connections.save'].parse({ documentTypes, ...rest }) as Omit<
    Connection,
    'apiKey' | 'pluginToken'
  >
  return { ...known, apiKey, pluginToken }
}

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {})
