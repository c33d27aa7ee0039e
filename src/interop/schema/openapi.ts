import { GROUPS, KINDS, type Kind, type KindSpec } from '#catalog/kinds.ts'
import { PLUGIN_ROUTE_RULES } from '#catalog/plugin-events.ts'
import {
  DELIVERY_METHODS,
  PAGE_SIZE,
  PLUGIN_EVENT_TYPES,
  ROUTES,
  type RouteParameter,
  WEBHOOK_PLAN,
} from '#catalog/service.ts'
import type { OpenApiVersion } from './formats.ts'
import {
  AS_DOCUMENTED,
  DIALECT,
  kindSchemas,
  type Schema,
  sentence,
  sharedSchemas,
  usedBy,
} from './json-schema.ts'

export const TITLE = 'Electronic-invoicing service: webhooks and reconciliation routes'

/** Rules of dispatch (What the service does). */
export const DISPATCH =
  'One request with a JSON body per event and subscription. Any 2xx answer counts as received; any other answer is not retried, so each event' +
  ` is delivered at most once. Only workspaces on the plan ${WEBHOOK_PLAN} dispatch. Deliveries carry no signature; a custom header of the` +
  ' subscription can hold a shared secret. New fields may be added to data, so receivers ignore fields that they do not use.'

/** OpenAPI description of the service: a webhook per kind, and the three routes. With a kind, only its webhook. */
export function openApi(version: OpenApiVersion, kind?: Kind): Schema {
  const specs = KINDS.filter((spec) => kind === undefined || spec.kind === kind)
  const schemas = kindSchemas(specs, AS_DOCUMENTED)
  const groups = GROUPS.filter(({ slug }) => specs.some(({ group }) => group === slug))
  return {
    openapi: `${version}.0`,
    info: {
      title: TITLE,
      version: 'v1',
      description: `Documented facts only. A property without a type is one whose type is not shown. ${DISPATCH}`,
    },
    jsonSchemaDialect: DIALECT,
    servers: [
      {
        url: '{base_url}',
        variables: {
          base_url: { default: 'https://service.example', description: 'Base address of the service.' },
        },
      },
    ],
    tags: [
      ...(kind === undefined ? [{ name: 'routes', description: 'Routes of the service.' }] : []),
      ...groups.map(({ slug, name }) => ({ name: slug, description: `Webhooks: ${name.en}.` })),
    ],
    ...(kind === undefined && { paths: paths() }),
    webhooks: Object.fromEntries(specs.map((spec) => [spec.kind, webhook(spec)])),
    components: {
      schemas: { ...usedBy(schemas, sharedSchemas(AS_DOCUMENTED)), ...schemas },
      ...(kind === undefined && {
        securitySchemes: { ApiKey: { type: 'apiKey', in: 'header', name: ROUTES.accountingSync.credential } },
      }),
    },
  }
}

/** A subscription uses one of three methods, and each of them carries the body. */
const webhook = ({ kind, group, emittedWhen }: KindSpec): Schema =>
  Object.fromEntries(
    DELIVERY_METHODS.map((method) => [
      method.toLowerCase(),
      {
        operationId: `${kind}.${method.toLowerCase()}`,
        tags: [group],
        summary: kind,
        description: sentence(`sent when ${emittedWhen.en}`),
        security: [],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: `#/components/schemas/${kind}` } } },
        },
        responses: {
          '2XX': { description: 'Received. Answer as soon as the event is stored or queued.' },
          default: { description: 'Not received. The service does not send the event again.' },
        },
      },
    ]),
  )

/** The shape of an item is not shown. */
const ITEMS = { type: 'array', items: {}, description: 'The shape of an item is not shown.' }
const MORE = { type: 'boolean', description: 'Whether a further page remains.' }

interface SyncRoute {
  readonly summary: string
  readonly description: string
  /** Members of the answer; one without a type is one whose type is not shown. */
  readonly answer: Readonly<Record<string, Schema>>
}

/** The two reconciliation routes (Endpoints). */
const SYNC: Readonly<Record<'accountingSync' | 'treasurySync', SyncRoute>> = {
  accountingSync: {
    summary: 'Issued sales, notes and expenses by issue date',
    description:
      'Documents of an issue-date range, with the accounting projection that the webhooks carry. While hasMore is true, ask again from the last date returned.',
    answer: { items: ITEMS, count: {}, hasMore: MORE },
  },
  treasurySync: {
    summary: 'Sales, purchases and notes that represent a debt',
    description:
      'Receivables and payables, with the customer or supplier and the payment methods. While hasMore is true, send nextFrom and nextAfterDocumentId as received.',
    answer: { items: ITEMS, count: {}, nextFrom: {}, nextAfterDocumentId: {}, hasMore: MORE },
  },
}

const PLUGIN_BODY = {
  type: 'object',
  properties: {
    eventType: { type: 'string', enum: PLUGIN_EVENT_TYPES },
    data: { type: 'object', description: 'Forwarded unchanged; its fields are not shown.' },
  },
  required: ['eventType'],
}

const paths = (): Schema => ({
  [ROUTES.accountingSync.path]: { get: syncRoute('accountingSync') },
  [ROUTES.treasurySync.path]: { get: syncRoute('treasurySync') },
  [ROUTES.pluginEvents.path]: {
    post: {
      operationId: 'pluginEvents',
      tags: ['routes'],
      summary: 'Publish an event of an installed plugin',
      // No security scheme: how a plugin token travels is not shown.
      description: PLUGIN_ROUTE_RULES.map(({ en }) => en).join(' '),
      requestBody: { required: true, content: { 'application/json': { schema: PLUGIN_BODY } } },
      responses: {
        '2XX': { description: 'Accepted. What a success answers is not shown.' },
        '400': { description: 'eventType is none of the three.' },
        '403': { description: 'X-Api-Key was used instead of the token of the plugin.' },
      },
    },
  },
})

function syncRoute(name: keyof typeof SYNC): Schema {
  const { summary, description, answer } = SYNC[name]
  return {
    operationId: name,
    tags: ['routes'],
    summary,
    description,
    security: [{ ApiKey: [] }],
    parameters: ROUTES[name].parameters.map(parameter),
    responses: {
      '2XX': {
        description: 'A page of documents.',
        content: { 'application/json': { schema: { type: 'object', properties: answer } } },
      },
      '400': { description: 'to is earlier than from. The shape of an error body is not shown.' },
    },
  }
}

const PARAMETER_TYPES: Readonly<Record<RouteParameter['type'], Schema>> = {
  'date-time': { type: 'string', description: 'ISO 8601' },
  uuid: { type: 'string', format: 'uuid' },
  integer: { type: 'integer' },
}

const parameter = ({ name, type, required, rule }: RouteParameter): Schema => ({
  name,
  in: 'query',
  required,
  description: sentence(rule.en),
  schema: { ...PARAMETER_TYPES[type], ...(name === 'pageSize' && PAGE_SIZE) },
})
