import { createServer } from 'node:http'
import express from 'express'
import { announce } from './announce.ts'

/** The receiver's framework: reads and answers as the receiver does, without storage. */
const app = express()
app.disable('x-powered-by')
app.set('etag', false)
app.set('query parser', false)
app.use((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    Buffer.concat(pieces)
    response.statusCode = 200
    response.end()
  })
})
await announce(createServer(app))
