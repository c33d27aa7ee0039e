import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 192 random bits, so that a plain hash is all that has to be kept of it. */
export const newToken = (prefix: string): string => `${prefix}_${randomBytes(24).toString('base64url')}`

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Compares in a time that tells nothing about where they differ, nor of their lengths. */
export const sameToken = (given: string, expected: string): boolean =>
  timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(expected).digest())

/** What follows `Bearer` in an Authorization header (the scheme's case is free); undefined for anything else. */
export const bearer = (authorization: string | undefined): string | undefined =>
  /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
