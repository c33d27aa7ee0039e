import type { ServerResponse } from 'node:http'
import type { ErrorCode, Refusal } from '#contract/errors.ts'
import { contentPolicy } from '../window-files.ts'

const STATUS: Readonly<Record<ErrorCode, number>> = {
  'bad-params': 400,
  'unknown-command': 404,
  'not-found': 404,
  'bad-filter': 400,
  conflict: 409,
  'not-available': 501,
  forbidden: 403,
  'store-failed': 503,
  'in-use': 409,
  'newer-schema': 409,
  'read-only': 409,
  'bad-record': 422,
  damaged: 500,
  internal: 500,
}

export const statusOf = (refusal: Refusal): number => STATUS[refusal.code]

/**
 * Headers of every answer. Nothing may be loaded from elsewhere, framed, or read by another origin; there are no CORS headers, ever.
 * @param origin that of our page
 */
export function secure(response: ServerResponse, origin?: string): void {
  // In some browsers 'self' does not cover WebSockets.
  const socket = origin === undefined ? '' : ` ${origin.replace('http', 'ws')}`
  response.setHeader('Content-Security-Policy', contentPolicy(`'self'${socket}`))
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
  response.setHeader('Cache-Control', 'no-store')
}

/** Answers with one plain sentence and closes the connection, so that a refused client cannot go on with it. */
export function refuse(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' })
  response.end(`${sentence}\n`)
}

export function sendRefusal(response: ServerResponse, refusal: Refusal, status = statusOf(refusal)): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(refusal))
}
