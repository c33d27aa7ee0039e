import { setTimeout as wait } from 'node:timers/promises'
import {
  type CallToolResult,
  completable,
  fromJsonSchema,
  McpServer,
  type McpServerFactory,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='
const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const
const said = (text: string) => ({ type: 'text', text }) as const
const resource = (uri: string, mimeType: string, text: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text } }) as const
const user = <C>(content: C) => ({ role: 'user', content }) as const

type Content = CallToolResult['content']
const TOOLS: Readonly<Record<string, (context: ServerContext) => Promise<Content> | Content>> = {
  test_simple_text: () => [said('This is a simple text response for testing.')],
  test_image_content: () => [image],
  test_audio_content: () => [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  test_embedded_resource: () => [
    resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ],
  test_multiple_content_types: () => [
    said('Multiple content types test:'),
    image,
    resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
  async test_tool_with_logging({ mcpReq }) {
    for (const what of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', what)
      await wait(50)
    }
    return [said('done')]
  },
  test_error_handling: () => {
    throw new Error('This tool intentionally returns an error for testing')
  },
  async test_tool_with_progress({ mcpReq }) {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        })
      await wait(50)
    }
    return [said('done')]
  },
}

const ADDRESS_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
  },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
} as const

/** A server with what the conformance suite of the protocol calls and Acuse has not: tools of all contents, prompts and resources. */
export const fixtureServer: McpServerFactory = () => {
  const server = new McpServer(
    { name: 'fixtures', version: '1.0.0' },
    {
      capabilities: { tools: {}, logging: {}, resources: { subscribe: true }, prompts: {}, completions: {} },
    },
  )
  for (const [name, run] of Object.entries(TOOLS))
    server.registerTool(
      name,
      { description: name, inputSchema: z.object({}) },
      async (_: object, context: ServerContext) => ({ content: await run(context) }),
    )
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Tool with JSON Schema 2020-12 features', inputSchema: fromJsonSchema(ADDRESS_SCHEMA) },
    () => ({ content: [said('done')] }),
  )
  const about = { description: 'A fixture' }
  server.registerResource('text', 'test://static-text', { ...about, mimeType: 'text/plain' }, ({ href }) => ({
    contents: [
      { uri: href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
    ],
  }))
  server.registerResource(
    'binary',
    'test://static-binary',
    { ...about, mimeType: 'image/png' },
    ({ href }) => ({ contents: [{ uri: href, mimeType: 'image/png', blob: PNG }] }),
  )
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    about,
    ({ href }, { id }) => ({
      contents: [
        {
          uri: href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  )
  server.server.setRequestHandler('resources/subscribe', () => ({}))
  server.server.setRequestHandler('resources/unsubscribe', () => ({}))
  server.registerPrompt('test_simple_prompt', about, () => ({
    messages: [user(said('This is a simple prompt for testing.'))],
  }))
  const known = (value: string) => ['paris', 'park', 'party'].filter((one) => one.startsWith(value))
  server.registerPrompt(
    'test_prompt_with_arguments',
    { ...about, argsSchema: z.object({ arg1: completable(z.string(), known), arg2: z.string() }) },
    ({ arg1, arg2 }) => ({
      messages: [user(said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
    }),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { ...about, argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        user(resource(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
        user(said('Please process the embedded resource above.')),
      ],
    }),
  )
  server.registerPrompt('test_prompt_with_image', about, () => ({
    messages: [user(image), user(said('Please analyze the image above.'))],
  }))
  return server
}
