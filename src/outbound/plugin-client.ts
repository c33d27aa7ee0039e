import { pluginAnswerText } from '#catalog/plugin-events.ts'
import { ROUTES } from '#catalog/service.ts'
import type { Connection } from '#contract/connection.ts'
import { headerOf } from '#contract/headers.ts'
import type { PluginPublisher, Published } from '#core/reconcile/sync-source.ts'
import type { Answer, Sender } from '#core/replay/ports.ts'
import { bodyOf } from '#core/replay/request.ts'
import { bodyText, covered, type Reached, requestHeaders } from './service-answer.ts'

export interface PluginService extends Reached {
  readonly token: string
  /** An empty scheme sends the token alone (readings, plugins/events). */
  readonly pluginHeader: Connection['pluginHeader']
}

const BODY_SHOWN = 20_000

/** Publishes events of a plugin (Endpoints, plugins/events). Never retries, since the event may have arrived. */
export function createPluginPublisher(sender: Sender, service: PluginService): PluginPublisher {
  const { baseUrl, token, pluginHeader: header, timeouts, acceptAnyCertificate } = service
  return {
    async publish({ eventType, data }) {
      const url = `${baseUrl}${ROUTES.pluginEvents.path}`
      const credential = header.scheme === '' ? token : `${header.scheme} ${token}`
      // Built as text, so that the data keeps its exact digits.
      const rest = data === null ? '' : `,"data":${data}`
      const body = Buffer.from(`{"eventType":${JSON.stringify(eventType)}${rest}}`)
      const framing = ['Content-Type', 'application/json', 'Content-Length', String(body.length)]
      const { answer, error, tookUs } = await sender.send({
        method: ROUTES.pluginEvents.method,
        url,
        headers: requestHeaders(url, header.name, credential, ...framing),
        body: bodyOf(body),
        timeouts,
        acceptAnyCertificate,
      })
      const said = (answered: Answer) => {
        const { status, headers } = answered
        const redirected = headerOf(headers, 'location') !== null
        return pluginAnswerText({ status, eventType, headerName: header.name, redirected }).en
      }
      return {
        ok: answer !== null && answer.status >= 200 && answer.status < 300 && !error,
        status: answer?.status ?? null,
        message: error?.message ?? (answer ? said(answer) : 'No answer came.'),
        error,
        tookUs,
        headers: answer?.headers.map((text) => covered(text, token)) ?? [],
        body: answer ? bodyText(answer, token, BODY_SHOWN) : '',
      } satisfies Published
    },
  }
}
