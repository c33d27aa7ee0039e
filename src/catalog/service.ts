import { type Text, text } from './text.ts'

/** StatusId meanings that the specification gives; any other value is "not shown" (States and transitions). */
export const STATUSES: ReadonlyMap<number, Text> = new Map([
  [5, text('accepted in full', 'aceptado por completo')],
  [6, text('rejected', 'rechazado')],
  [7, text('still being evaluated', 'en evaluación')],
  [8, text('accepted with observations', 'aceptado con observaciones')],
])

export type DocumentFamily = 'invoice' | 'credit-note' | 'debit-note' | 'expense'

/** Document type codes named in event descriptions (Document type codes). */
export const DOCUMENT_TYPES = [
  { code: 'E31', family: 'invoice', name: text('invoice', 'factura') },
  { code: 'E32', family: 'invoice', name: text('invoice', 'factura') },
  { code: 'E33', family: 'debit-note', name: text('debit note', 'nota de débito') },
  { code: 'E34', family: 'credit-note', name: text('credit note', 'nota de crédito') },
  { code: 'E41', family: 'expense', name: text('purchase', 'compra') },
  { code: 'E43', family: 'expense', name: text('minor expense', 'gasto menor') },
  { code: 'E44', family: 'invoice', name: text('invoice', 'factura') },
  { code: 'E45', family: 'invoice', name: text('invoice', 'factura') },
  { code: 'E46', family: 'invoice', name: text('invoice', 'factura') },
  { code: 'E47', family: 'expense', name: text('foreign payment', 'pago al exterior') },
] as const satisfies readonly { code: string; family: DocumentFamily; name: Text }[]

/** Methods that a subscription may use (What the service does, rule 6). */
export const DELIVERY_METHODS = ['GET', 'PUT', 'POST'] as const
export type DeliveryMethod = (typeof DELIVERY_METHODS)[number]

/** The only plan that dispatches webhooks (What the service does, rule 4). */
export const WEBHOOK_PLAN = 'Corporativo'

/** Event types of the plugin route; they never arrive as webhook deliveries (Delivery rules, 4). */
export const PLUGIN_EVENT_TYPES = [
  'cobro.registrado',
  'pago_proveedor.registrado',
  'inventario.movimiento',
] as const
export type PluginEventType = (typeof PLUGIN_EVENT_TYPES)[number]

export interface RouteParameter {
  readonly name: string
  readonly type: 'date-time' | 'uuid' | 'integer'
  readonly required: boolean
  readonly rule: Text
}

/** pageSize of both sync routes (Limits). */
export const PAGE_SIZE = { default: 200, maximum: 500 } as const

const parameter = (
  name: string,
  type: RouteParameter['type'],
  required: boolean,
  rule: readonly [en: string, es: string],
): RouteParameter => ({ name, type, required, rule: text(...rule) })
const SHARED = [
  parameter('documentTypeId', 'integer', false, [
    'limits the sweep to one document type',
    'limita el barrido a un tipo de documento',
  ]),
  parameter('pageSize', 'integer', false, ['default 200, maximum 500', 'por defecto 200, máximo 500']),
]

/** The three public routes with their parameters (Endpoints, Authentication, Errors; Versioning, 1 and 2). */
export const ROUTES = {
  accountingSync: {
    method: 'GET',
    path: '/api/v1/documents/accounting-sync',
    credential: 'X-Api-Key',
    stability: 'Stable',
    parameters: [
      parameter('from', 'date-time', true, [
        'start of the range, by issue date',
        'inicio del rango, por fecha de emisión',
      ]),
      parameter('to', 'date-time', true, [
        'end of the range; if earlier than from, the response is 400',
        'fin del rango; si es anterior a from, la respuesta es 400',
      ]),
      ...SHARED,
    ],
  },
  treasurySync: {
    method: 'GET',
    path: '/api/v1/documents/treasury-sync',
    credential: 'X-Api-Key',
    stability: 'Stable',
    parameters: [
      parameter('from', 'date-time', false, [
        'date cursor; on the next page send the nextFrom received',
        'cursor de fecha; en la página siguiente se envía el nextFrom recibido',
      ]),
      parameter('afterDocumentId', 'uuid', false, [
        'second part of the cursor; on the next page send the nextAfterDocumentId received',
        'segunda parte del cursor; en la página siguiente se envía el nextAfterDocumentId recibido',
      ]),
      parameter('to', 'date-time', false, [
        'maximum issue date; if earlier than from, the response is 400',
        'fecha de emisión máxima; si es anterior a from, la respuesta es 400',
      ]),
      ...SHARED,
    ],
  },
  pluginEvents: {
    method: 'POST',
    path: '/api/v1/plugins/events',
    credential: 'plugin token',
    stability: 'Stable',
    parameters: [],
  },
} as const satisfies Record<
  string,
  {
    method: string
    path: string
    credential: string
    stability: 'Stable'
    parameters: readonly RouteParameter[]
  }
>
