import fc from 'fast-check'
import { z } from 'zod'

/** Bounds of a text, a number or a list, and the pattern of a text; absent where the schema sets none. */
export interface Bounds {
  readonly least?: number
  readonly most?: number
  readonly pattern?: RegExp
}

export function boundsOf(schema: z.core.$ZodType): Bounds {
  const found: { least?: number; most?: number; pattern?: RegExp } = {}
  for (const check of schema._zod.def.checks ?? []) {
    const { def } = (check as z.core.$ZodChecks)._zod
    if (def.check === 'max_length') found.most = def.maximum
    else if (def.check === 'min_length') found.least = def.minimum
    else if (def.check === 'less_than') found.most = Number(def.value)
    else if (def.check === 'greater_than') found.least = Number(def.value) + (def.inclusive ? 0 : 1)
    else if (def.check === 'string_format' && def.pattern) found.pattern = def.pattern
  }
  return found
}

/** Generates valid values of a contract's schema, so that tests cover new declarations without hand-written samples. */
export function arbitraryOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  return bare(schema).filter((value) => z.safeParse(schema, value).success)
}

const WORDS = ['x', 'América', 'http://127.0.0.1:3000', 'America/Santo_Domingo', '/hook', 'erp']

function bare(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod
  const { least, most, pattern } = boundsOf(schema)
  switch (def.type) {
    case 'object':
      return objectOf(def.shape)
    case 'string': {
      if ('format' in def && def.format === 'base64') return fc.base64String({ maxLength: 40 })
      const texts = fc.string({ minLength: least ?? 0, maxLength: Math.min(most ?? 20, 20) })
      // The generator does not support the flag "i"; a match without it also matches with it.
      const fitting = pattern && fc.stringMatching(new RegExp(pattern.source, pattern.flags.replace('i', '')))
      return fc.oneof(fc.constantFrom(...WORDS), fitting ?? texts)
    }
    case 'number': {
      const min = least ?? 0
      const max = Math.min(most ?? min + 1_000_000, min + 1_000_000)
      return 'format' in def ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true })
    }
    case 'boolean':
      return fc.boolean()
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries))
    case 'literal':
      return fc.constantFrom(...def.values)
    case 'union':
      return fc.oneof(...def.options.map(arbitraryOf))
    case 'array':
      return fc.array(arbitraryOf(def.element), { minLength: least ?? 0, maxLength: Math.min(most ?? 3, 3) })
    case 'tuple':
      return fc.tuple(...def.items.map(arbitraryOf))
    case 'record':
      return fc.dictionary(arbitraryOf(def.keyType).map(String), arbitraryOf(def.valueType), { maxKeys: 3 })
    case 'nullable':
      return fc.option(arbitraryOf(def.innerType), { nil: null })
    case 'optional':
    case 'default':
      return arbitraryOf(def.innerType)
    case 'pipe':
      return arbitraryOf(def.in)
    case 'unknown':
      return fc.jsonValue({ maxDepth: 2 })
    default:
      throw new Error(`The contract uses ${def.type}, of which no value can be made yet.`)
  }
}

function objectOf(shape: Readonly<Record<string, z.core.$ZodType>>): fc.Arbitrary<unknown> {
  const members = Object.entries(shape)
  const required = members.filter(([, one]) => one._zod.def.type !== 'optional')
  return fc.record(Object.fromEntries(members.map(([name, one]) => [name, arbitraryOf(one)])), {
    requiredKeys: required.map(([name]) => name),
  })
}
