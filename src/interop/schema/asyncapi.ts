import { GROUPS, KINDS, type Kind, type KindSpec } from '#catalog/kinds.ts'
import { AS_DOCUMENTED, kindSchemas, type Schema, sentence, sharedSchemas, usedBy } from './json-schema.ts'
import { DISPATCH, TITLE } from './openapi.ts'

/** AsyncAPI 3.1 description of the receiver: one channel with a message per kind. */
export function asyncApi(kind?: Kind): Schema {
  const specs = KINDS.filter((spec) => kind === undefined || spec.kind === kind)
  const schemas = kindSchemas(specs, AS_DOCUMENTED)
  const messages = specs.map((spec) => spec.kind)
  return {
    asyncapi: '3.1.0',
    info: {
      title: TITLE,
      version: 'v1',
      description: `The receiver of the webhooks. Documented facts only. ${DISPATCH}`,
    },
    defaultContentType: 'application/json',
    channels: {
      deliveries: {
        description: 'The URL of a subscription. It is chosen in the application of the service.',
        messages: Object.fromEntries(
          messages.map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
      },
    },
    operations: {
      receive: {
        action: 'receive',
        title: 'Receive an event',
        channel: { $ref: '#/channels/deliveries' },
        bindings: { http: { bindingVersion: '0.3.0' } },
        messages: messages.map((name) => ({ $ref: `#/channels/deliveries/messages/${name}` })),
      },
    },
    components: {
      messages: Object.fromEntries(specs.map((spec) => [spec.kind, message(spec)])),
      schemas: { ...usedBy(schemas, sharedSchemas(AS_DOCUMENTED)), ...schemas },
    },
  }
}

const message = ({ kind, group, emittedWhen }: KindSpec): Schema => ({
  name: kind,
  title: kind,
  summary: sentence(`sent when ${emittedWhen.en}`),
  contentType: 'application/json',
  tags: [{ name: group, description: GROUPS.find(({ slug }) => slug === group)?.name.en ?? group }],
  payload: { $ref: `#/components/schemas/${kind}` },
})
