/** Formats of `acuse schema`, with the ending and the media type of a file. */
export const SCHEMA_FILES = {
  'json-schema': { ending: '.schema.json', type: 'application/schema+json' },
  openapi: { ending: '.openapi.json', type: 'application/json' },
  asyncapi: { ending: '.asyncapi.json', type: 'application/json' },
  typescript: { ending: '.ts', type: 'text/plain' },
  zod: { ending: '.zod.ts', type: 'text/plain' },
  markdown: { ending: '.md', type: 'text/markdown' },
} as const
export type SchemaFormat = keyof typeof SCHEMA_FILES
export const SCHEMA_FORMATS = Object.keys(SCHEMA_FILES) as readonly SchemaFormat[]

export const OPENAPI_VERSIONS = ['3.1', '3.2'] as const
export type OpenApiVersion = (typeof OPENAPI_VERSIONS)[number]
