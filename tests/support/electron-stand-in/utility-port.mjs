import { EventEmitter } from 'node:events'

const send = process.send.bind(process)
// A utility process has no channel of Node's own.
delete process.send
process.parentPort = Object.assign(new EventEmitter(), { postMessage: (message) => send(message) })
process.on('message', (data) => process.parentPort.emit('message', { data, ports: [] }))
