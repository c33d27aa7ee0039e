import { z } from 'zod'
import { PLUGIN_EVENT_TYPES } from '#catalog/service.ts'
import { bad, notFound } from '../domain/refusal.ts'
import { OWN_NAME, type Plugin } from '../records/credentials.ts'
import { urlProblem } from '../records/subscriptions.ts'
import {
  type AdminContext,
  type AdminRoute,
  created,
  idFrom,
  name,
  ok,
  orEmpty,
  route,
  understood,
} from './route.ts'

const url = z
  .string()
  .max(8_192)
  .superRefine((value, context) => {
    const problem = urlProblem(value)
    if (problem !== null) context.addIssue({ code: 'custom', message: problem })
  })
/** The sandbox's own are replaced at each start: what a person named like them would go with them, without a word. */
function freeName(wanted: string): string {
  if (wanted === OWN_NAME) throw bad('bad-input', `name: "${OWN_NAME}" is the sandbox's own; choose another.`)
  return wanted
}

const keySettings = z.strictObject({ name: name.default('API key') })
const pluginChange = z
  .strictObject({
    name,
    url: url.nullable(),
    eventTypes: z.array(z.enum(PLUGIN_EVENT_TYPES)),
    active: z.boolean(),
  })
  .partial()

/** Times as the rest of the API writes them. */
const dated = <T extends { readonly createdAt: number }>(one: T) => ({
  ...one,
  createdAt: new Date(one.createdAt).toISOString(),
})

/** Issues and revokes API keys and plugin tokens; each is shown once, when it is issued. */
export function credentialRoutes({ keys, plugins, now }: AdminContext): readonly AdminRoute[] {
  const existing = (id: string | undefined): Plugin => {
    const found = plugins.get(idFrom(id))
    if (!found) throw notFound('There is no such plugin.')
    return found
  }
  return [
    route('get', '/keys', 'List the API keys, without the keys themselves.', () =>
      ok({ keys: keys.list().map(dated) }),
    ),
    route(
      'post',
      '/keys',
      'Issue an API key (name); the answer is the only place where it is shown.',
      ({ body }) => created(dated(keys.issue(freeName(understood(keySettings, orEmpty(body)).name), now()))),
    ),
    route('delete', '/keys/:id', 'Revoke an API key.', ({ params }) => {
      const id = idFrom(params.id)
      if (!keys.revoke(id)) throw notFound('There is no such API key.')
      return ok({ removed: id })
    }),
    route('get', '/plugins', 'List the installed plugins, without their tokens.', () =>
      ok({ plugins: plugins.list().map(dated) }),
    ),
    route(
      'post',
      '/plugins',
      "Install a plugin (name, url for other plugins' events, eventTypes, active); its token is shown once.",
      ({ body }) => {
        const given = understood(pluginChange, orEmpty(body))
        const settings = {
          name: freeName(given.name ?? 'Plugin'),
          url: given.url ?? null,
          eventTypes: given.eventTypes ?? PLUGIN_EVENT_TYPES,
          active: given.active ?? true,
        }
        return created(dated(plugins.install(settings, now())))
      },
    ),
    route(
      'put',
      '/plugins/:id',
      'Change a plugin; members left out stay as they are.',
      ({ params, body }) => {
        const { id, createdAt: _, ...before } = existing(params.id)
        const given = understood(pluginChange, orEmpty(body))
        plugins.replace(id, {
          name: given.name === undefined || given.name === before.name ? before.name : freeName(given.name),
          url: given.url === undefined ? before.url : given.url,
          eventTypes: given.eventTypes ?? before.eventTypes,
          active: given.active ?? before.active,
        })
        return ok(dated(existing(params.id)))
      },
    ),
    route('delete', '/plugins/:id', 'Uninstall a plugin and revoke its token.', ({ params }) => {
      const { id } = existing(params.id)
      plugins.remove(id)
      return ok({ removed: id })
    }),
  ]
}
