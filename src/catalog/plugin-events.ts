import { PLUGIN_EVENT_TYPES, type PluginEventType } from './service.ts'
import { type Text, text } from './text.ts'

/** The names of the plugin events in words; the specification gives no more than the names (Endpoints, plugins/events). */
export const PLUGIN_EVENT_NAMES: Readonly<Record<PluginEventType, Text>> = {
  'cobro.registrado': text('a payment was collected', 'se registró un cobro'),
  'pago_proveedor.registrado': text('a supplier was paid', 'se registró un pago a un suplidor'),
  'inventario.movimiento': text('inventory moved', 'hubo un movimiento de inventario'),
}

/** The documented rules of the plugin route, one sentence each (Endpoints, plugins/events; Errors). */
export const PLUGIN_ROUTE_RULES: readonly Text[] = [
  text(
    'An installed plugin publishes its own event, and the service forwards it to the other subscribed plugins.',
    'Un plugin instalado publica su propio evento y el servicio lo reenvía a los demás plugins suscritos.',
  ),
  text(
    'data is optional and an object. The service does not interpret it and forwards it unchanged. The specification does not show its fields.',
    'data es opcional y un objeto. El servicio no lo interpreta y lo reenvía sin cambios; la especificación no muestra qué campos lleva.',
  ),
  text(
    'Only the plugin’s own token is accepted: X-Api-Key is answered 403. An eventType other than the three is answered 400. The specification shows no answer for success.',
    'Solo se acepta el token propio del plugin: con X-Api-Key la respuesta es 403. Un eventType distinto de los tres recibe 400. La especificación no muestra qué responde un éxito.',
  ),
]

export interface PluginAnswerFacts {
  readonly status: number
  readonly eventType: PluginEventType
  readonly headerName: string
  readonly redirected: boolean
}

/** Explains a status of the plugin route, and says so when the specification does not (Endpoints, plugins/events; Errors). */
export function pluginAnswerText({ status, eventType, headerName, redirected }: PluginAnswerFacts): Text {
  if (status >= 200 && status < 300)
    return text(
      `The service took ${eventType} (${status}) and forwards its data unchanged to the other subscribed plugins. The specification shows no answer for success.`,
      `El servicio aceptó ${eventType} (${status}) y reenvía su data sin cambios a los demás plugins suscritos. La especificación no muestra qué responde un éxito.`,
    )
  if (status === 400)
    return text(
      `The service refused the event (400). The specification gives 400 for an eventType other than ${PLUGIN_EVENT_TYPES.join(', ')}; ${eventType} is one of them, so look at what the answer says, and at the data.`,
      `El servicio rechazó el evento (400). La especificación da 400 para un eventType distinto de ${PLUGIN_EVENT_TYPES.join(', ')}; ${eventType} es uno de ellos, así que mire lo que dice la respuesta, y data.`,
    )
  if (status === 403)
    return text(
      `The service refused the credential (403). The specification gives 403 where an X-Api-Key is used: only the plugin's own token is accepted. Check that the token of the connection is the plugin's, and the header it travels in (${headerName}).`,
      `El servicio rechazó la credencial (403). La especificación da 403 cuando se usa un X-Api-Key: solo se acepta el token propio del plugin. Compruebe que el token de la conexión sea el del plugin, y la cabecera en que viaja (${headerName}).`,
    )
  if (status === 401)
    return text(
      `The service does not know the token (401). The specification does not show how a token is sent: check the token, its header (${headerName}) and its scheme.`,
      `El servicio no conoce el token (401). La especificación no muestra cómo viaja un token: compruebe el token, su cabecera (${headerName}) y su esquema.`,
    )
  if (status >= 300 && status < 400)
    return text(
      `The service answered ${status}${redirected ? ' and points elsewhere' : ''}. Acuse follows no redirect, so the token went nowhere else. Correct the connection's base URL if the service has moved.`,
      `El servicio respondió ${status}${redirected ? ' e indica otra dirección' : ''}. Acuse no sigue redirecciones, así que el token no fue a ningún otro lugar. Corrija la dirección base de la conexión si el servicio se mudó.`,
    )
  return text(
    `The service answered ${status}. The specification does not show what that means here; look at what the answer says.`,
    `El servicio respondió ${status}. La especificación no muestra qué significa eso aquí; mire lo que dice la respuesta.`,
  )
}
