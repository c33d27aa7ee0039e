import { expect, test } from 'vitest'
import { headerErrors, newHeader, sentHeaderErrors } from '@/shared/headers/header-table.tsx'

test('errors stand where the mistake is', () => {
  const headers = [
    newHeader({ name: 'X-A', value: 'right' }),
    newHeader({ name: 'no spaces', value: 'one\ntwo' }),
    newHeader(),
  ]
  expect([...headerErrors(headers)]).toEqual([
    ['header-name-1', 'headerName'],
    ['header-value-1', 'headerValue'],
    ['header-name-2', 'headerName'],
  ])
})

test('headers of the connection are refused only where a request is sent', () => {
  const headers = [newHeader({ name: 'Content-Length', value: '1' })]
  expect(headerErrors(headers).size).toBe(0)
  expect(sentHeaderErrors(headers).get('header-name-0')).toBe('headerReserved')
})
