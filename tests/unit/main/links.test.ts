import { expect, it } from 'vitest'
import { linkedRoute } from '../../../src/main/security.ts'

it.each([
  ['acuse:delivery/42', '#/stream?id=42'],
  ['acuse://delivery/42', '#/stream?id=42'],
  ['ACUSE://delivery/42/', '#/stream?id=42'],
])('a link to a delivery: %s opens it', (link, route) => {
  expect(linkedRoute(['.', '--data=x', link])).toBe(route)
})

it.each([
  ...[
    'acuse:',
    'acuse:delivery/',
    'acuse:delivery/0',
    'acuse:delivery/-1',
    'acuse:delivery/1e3',
    'acuse:settings',
  ],
  ...[
    'acuse:delivery/42?run=1',
    'acuse:delivery/42#/settings',
    'acuse:delivery/42/../../settings',
    'acuse:delivery/%34',
  ],
  ...[
    'acuse:delivery/42\nacuse:delivery/43',
    'acuse:delivery/1234567890123456',
    'xacuse:delivery/42',
    'delivery/42',
  ],
])('any other text: %j opens no route', (text) => {
  expect(linkedRoute([text])).toBeUndefined()
})
