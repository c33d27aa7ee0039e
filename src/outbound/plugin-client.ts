import { PLUGIN_EVENT_TYPES, ROUTES } from '#catalog/service.ts'
import type { Timeouts } from '#contract/replay.ts'
import type { PluginPublisher, Published } from '#core/reconcile/plugin-publisher.ts'
import type { Sender } from '#core/replay/ports.ts'
import { bodyOf } from '#core/replay/request.ts'
import { parseAddress } from './address.ts'
import { bodyText, covered, headerOf } from './service-answer.ts'

/** How a connection's plugin route is reached. */
export interface PluginService {
  readonly baseUrl: string
  readonly token: string
  /** How the token travels; an empty scheme sends it alone (readings, plugins/events). */
  readonly header: { readonly name: string; readonly scheme: string }
  readonly timeouts: Timeouts
  readonly acceptAnyCertificate: boolean
}

const BODY_SHOWN = 20_000

/** Publishes events of a plugin (Endpoints, plugins/events). Nothing is sent twice: an event that may have arrived is not repeated. */
export function createPluginPublisher(sender: Sender, service: PluginService): PluginPublisher {
  const { baseUrl, token, header, timeouts, acceptAnyCertificate } = service
  return {
    async publish({ eventType, data }) {
      const url = `${baseUrl}${ROUTES.pluginEvents.path}`
      const parsed = parseAddress(url)
      // By hand, so that the data goes out with its very digits.
      const rest = data === null ? '' : `,"data":${data}`
      const body = Buffer.from(`{"eventType":${JSON.stringify(eventType)}${rest}}`)
      const { answer, error } = await sender.send({
        method: ROUTES.pluginEvents.method,
        url,
        headers: [
          ...['Host', 'address' in parsed ? parsed.address.authority : ''],
          ...[header.name, header.scheme === '' ? token : `${header.scheme} ${token}`],
          ...['Content-Type', 'application/json', 'Content-Length', String(body.length)],
          ...['Accept', 'application/json', 'Accept-Encoding', 'identity', 'User-Agent', 'Acuse'],
        ],
        body: bodyOf(body),
        timeouts,
        acceptAnyCertificate,
      })
      if (!answer)
        return {
          ok: false,
          status: null,
          message: error?.message ?? 'No answer came.',
          headers: [],
          body: '',
        }
      return {
        ok: answer.status >= 200 && answer.status < 300 && !error,
        status: answer.status,
        message: error
          ? error.message
          : explained(answer.status, eventType, header.name, headerOf(answer, 'location')),
        headers: answer.headers.map((text) => covered(text, token)),
        body: bodyText(answer, token, BODY_SHOWN),
      } satisfies Published
    },
  }
}

/** What the specification says about a status, and what it does not. */
function explained(status: number, eventType: string, headerName: string, location: string | null): string {
  if (status >= 200 && status < 300)
    return `The service took ${eventType} (${status}) and forwards its data unchanged to the other subscribed plugins. What a success answers is not shown in the specification.`
  if (status === 400)
    return `The service refused the event (400). The specification gives 400 for an eventType other than ${PLUGIN_EVENT_TYPES.join(', ')}; ${eventType} is one of them, so look at what the answer says, and at the data.`
  if (status === 403)
    return `The service refused the credential (403). The specification gives 403 where an X-Api-Key is used: only the plugin's own token is accepted. Check that the token of the connection is the plugin's, and the header it travels in (${headerName}).`
  if (status === 401)
    return `The service does not know the token (401). How a token travels is not shown in the specification: check the token, its header (${headerName}) and its scheme.`
  if (status >= 300 && status < 400)
    return `The service answered ${status}${location === null ? '' : ' and points elsewhere'}. Acuse follows no redirect, so the token went nowhere else. Correct the connection's base URL if the service has moved.`
  return `The service answered ${status}. The specification does not show what that means here; look at what the answer says.`
}
