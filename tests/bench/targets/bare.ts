import { createServer } from 'node:http'
import { announce } from './announce.ts'

/** Least work of a server: reads the body, answers 200, stores nothing. */
const server = createServer((request, response) => {
  request.on('data', () => {})
  request.on('end', () => response.end())
})
await announce(server)
