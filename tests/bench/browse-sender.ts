import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { createEvents } from './browse-events.ts'

/* Sends deliveries at a steady pace until it is told to end, in a process of its own: `URL RATE`. Then it prints what became of them. */
const [target = '', rate = '200'] = process.argv.slice(2)
const perSecond = Number(rate)
const events = createEvents(Date.now() % 1_000_000)
const agent = new Agent({ keepAlive: true, maxSockets: 16 })
let sent = 0
let failed = 0
let going = true
process.on('SIGTERM', () => {
  going = false
})

function send(): void {
  sent += 1
  const { body } = events.next(Date.now() * 1_000)
  const headers = { 'content-type': 'application/json', 'content-length': body.byteLength }
  const sending = request(target, { method: 'POST', agent, headers }, (answer) => {
    if (answer.statusCode !== 200) failed += 1
    answer.resume()
  })
  sending.on('error', () => {
    failed += 1
  })
  sending.end(body)
}

const began = performance.now()
while (going) {
  const due = ((performance.now() - began) * perSecond) / 1_000
  while (sent < due) send()
  await wait(5)
}
agent.destroy()
process.stdout.write(JSON.stringify({ sent, failed, seconds: (performance.now() - began) / 1_000 }))
