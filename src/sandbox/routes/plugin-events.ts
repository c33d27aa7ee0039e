import type { Request, Response } from 'express'
import { PLUGIN_EVENT_TYPES, type PluginEventType } from '#catalog/service.ts'
import type { Forwarder } from '../dispatch/forwarder.ts'
import { bad, Refusal } from '../domain/refusal.ts'
import { isObject, parseJson, readBody } from '../http/body.ts'
import { bearer, type Plugin, type Plugins } from '../records/credentials.ts'
import { memberBytes } from './json-span.ts'

export interface PluginContext {
  readonly plugins: Plugins
  readonly forwarder: Forwarder
}

const isEventType = (value: unknown): value is PluginEventType =>
  PLUGIN_EVENT_TYPES.some((type) => type === value)

/** POST plugins/events: a plugin's own event goes to the other subscribed plugins, its data unchanged. */
export async function pluginEvents(
  context: PluginContext,
  request: Request,
  response: Response,
): Promise<void> {
  const sender = senderOf(request, context.plugins)
  const body = await readBody(request)
  const content = parseJson(body)
  if (!isObject(content)) throw bad('bad-body', 'The body must be a JSON object with eventType.')
  const { eventType } = content
  if (!isEventType(eventType))
    throw bad('unknown-event-type', `eventType must be one of ${PLUGIN_EVENT_TYPES.join(', ')}.`)
  if (Object.hasOwn(content, 'data') && !isObject(content.data))
    throw bad('bad-data', 'data must be an object.')
  const forwardedTo = context.forwarder.forward(sender, eventType, memberBytes(body, 'data'))
  response.status(202).json({ forwardedTo })
}

/** Only the plugin's own token is accepted; an X-Api-Key is refused even beside one (sandbox choice: in this order). */
function senderOf(request: Request, plugins: Plugins): Plugin {
  if (request.get('X-Api-Key') !== undefined)
    throw new Refusal(403, 'key-not-accepted', 'This route takes the own token of a plugin, not an API key.')
  const token = bearer(request.get('Authorization'))
  const sender = token === undefined ? undefined : plugins.owner(token)
  if (sender) return sender
  throw new Refusal(401, 'unknown-token', "Send the plugin's own token as Authorization: Bearer.")
}
