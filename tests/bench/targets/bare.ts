import { createServer } from 'node:http'
import { announce } from './announce.ts'

/** Lower bound of what a server can cost: reads the body, answers 200, keeps nothing. */
const server = createServer((request, response) => {
  request.on('data', () => {})
  request.on('end', () => response.end())
})
await announce(server)
