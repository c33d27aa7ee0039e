import type { Kind } from '#catalog/kinds.ts'
import { asyncApi } from './asyncapi.ts'
import type { OpenApiVersion, SchemaFormat } from './formats.ts'
import { jsonSchema, jsonText } from './json-schema.ts'
import { kindsMarkdown } from './markdown.ts'
import { openApi } from './openapi.ts'
import { typeScript } from './typescript.ts'
import { zodModule } from './zod.ts'

/** Describes the 28 kinds, or one of them, in a format of another tool. @param openApiVersion only for OpenAPI */
export function describedKinds(
  format: SchemaFormat,
  kind?: Kind,
  openApiVersion: OpenApiVersion = '3.1',
): string {
  switch (format) {
    case 'json-schema':
      return jsonText(jsonSchema(kind))
    case 'openapi':
      return jsonText(openApi(openApiVersion, kind))
    case 'asyncapi':
      return jsonText(asyncApi(kind))
    case 'typescript':
      return typeScript(kind)
    case 'zod':
      return zodModule(kind)
    case 'markdown':
      return kindsMarkdown(kind)
  }
}
