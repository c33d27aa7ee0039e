import { createHash } from 'node:crypto'
import { fsyncSync, openSync, writeSync } from 'node:fs'
import { connect } from 'node:net'
import { basename } from 'node:path'

/**
 * A sender that records each answer in a ledger: one line per answer, `token sha256 status`, fsynced independently of the product.
 * It is a separate process, so that it survives a kill of the receiver. Arguments: host, port, ledger file, first number.
 */
const [host = '', port = '', ledgerFile = '', first = '0'] = process.argv.slice(2)
const ledger = openSync(ledgerFile, 'a')
let number = Number(first)
/** Unique name. Not the process id, which the system reuses within 500 rounds. */
const sender = basename(ledgerFile)

function next(): { token: string; digest: string; request: Buffer } {
  const token = `${sender}-${number++}`
  const body = Buffer.from(
    JSON.stringify({
      Event: 'customer.created',
      Timestamp: '2026-11-20T10:00:00-04:00',
      data: {
        CustomerId: token,
        LegalName: 'Ferretería '.padEnd(200 + (number % 1700), 'x'),
        TaxIdentification: '131048227',
      },
    }),
  )
  const head = `POST /ledger/${token} HTTP/1.1\r\nHost: ${host}\r\nX-Token: ${token}\r\nContent-Length: ${body.length}\r\n\r\n`
  return {
    token,
    digest: createHash('sha256').update(body).digest('hex'),
    request: Buffer.concat([Buffer.from(head), body]),
  }
}

/** Sends without pauses: at a fixed rate such as 200 a second in all, the writer would be idle. */
function open(): void {
  const socket = connect({ host, port: Number(port), noDelay: true })
  let current = next()
  let answered = false
  const send = () => socket.write(current.request)
  socket.on('connect', send)
  socket.on('data', (answer) => {
    writeSync(ledger, `${current.token} ${current.digest} ${answer.subarray(9, 12).toString()}\n`)
    fsyncSync(ledger)
    answered = true
    current = next()
    send()
  })
  socket.on('error', () => process.exit(0))
  // A refusal ends the connection.
  socket.on('close', () => (answered ? open() : process.exit(0)))
}
open()
