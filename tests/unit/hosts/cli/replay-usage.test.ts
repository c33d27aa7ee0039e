import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { main } from '#hosts/cli/main.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { terminalDouble } from '../../../support/terminal-double.ts'

const URL = 'http://127.0.0.1:3000/'
const TO = ['--to', URL]
/** In this process: what is wrong with the words is told before any host is looked for. */
async function acuse(args: readonly string[]) {
  const terminal = terminalDouble()
  const data = ['--data', join(tempFolder(), 'data')]
  const code = await main([...args, ...data], terminal)
  return { code, stdout: terminal.stdout(), stderr: terminal.stderr() }
}

describe('wrong usage exits with 2, a sentence on stderr and nothing on stdout', () => {
  test.each([
    [['replay'], '--to'],
    [['replay', ...TO], 'Say which deliveries'],
    [['replay', ...TO, '--id', '1', '--filter', ''], 'by one of them only'],
    [['replay', ...TO, '--id', 'x'], 'whole number'],
    [['replay', ...TO, '--id', '0'], 'whole number'],
    [['replay', '--id', '1', '--to', '127.0.0.1:3000'], 'http://'],
    [['replay', '--id', '1', '--to', 'ftp://127.0.0.1/'], 'ftp:'],
    [['replay', '--id', '1', '--to', 'http://a:b@127.0.0.1/'], 'password'],
    [['replay', '--id', '1', '--to', 'No Name'], 'name of a target'],
    [['replay', ...TO, '--id', '1', '--rate', '0'], 'number from 0.01'],
    [['replay', ...TO, '--id', '1', '--concurrency', '257'], 'whole number from 1 to 256'],
    [['replay', ...TO, '--id', '1', '--keep-gaps', '11'], 'number from 0.1 to 10'],
    [['replay', ...TO, '--id', '1', '--order', 'size'], 'arrival, document'],
    [['replay', ...TO, '--id', '1', '--retries', '-1'], 'whole number'],
    [['replay', ...TO, '--id', '1', '--fail-on', '6xx'], '404,5xx'],
    [['replay', ...TO, '--id', '1', '--include', 'malformed'], 'never sent'],
    [['replay', ...TO, '--id', '1', '--include', 'all'], 'rejected, replay'],
    [['replay', ...TO, '--id', '1', '--header', 'X-A'], 'Name: value'],
    [['replay', ...TO, '--id', '1', '--header', 'Host: x'], 'belongs to the connection'],
    [['listen'], 'Say where to'],
    [['listen', '--print', '--answer'], '--answer goes with'],
    [['listen', '--print', '--filter', 'kind:('], 'column'],
    [['listen', '--forward-to', 'nowhere/'], 'name of a target'],
    [['listen', '--forward-to', URL, '--when-down', 'wait'], 'queue, drop'],
    [['targets', 'set', 'staging'], 'Say what to set'],
    [['targets', 'set', 'Staging', '--url', URL], 'a-z'],
    [['targets', 'set', 'staging', '--secret-header', 'Authorization=GONE'], 'environment'],
    [['targets', 'set', 'staging', '--secret-header', 'Authorization'], 'Name=VARIABLE'],
    [['targets', 'set', 'staging', '--keep-secret', 'maybe'], 'yes or no'],
    [['targets', 'set', 'staging', '--strip', 'a b'], 'Not a header name'],
    [['forwards', 'set', 'local'], 'Say what to set'],
    [['forwards', 'set', 'local', '--to', 'localhost:3000'], 'http://'],
    [['jobs', 'show', 'x'], 'whole number'],
    [['jobs', 'resum', '1'], 'Did you mean resume?'],
  ])('acuse %j: %s', async (args, sentence) => {
    const { code, stdout, stderr } = await acuse(args)
    expect(stderr).toContain(sentence)
    expect([code, stdout]).toEqual([2, ''])
  })
})

describe('what cannot be done exits with 3 and a sentence', () => {
  test.each([
    [['replay', ...TO, '--id', '1'], 'There is no Acuse data in'],
    [['jobs', 'list'], 'There is no Acuse data in'],
    [['targets', 'list'], 'There is no Acuse data in'],
    [['forwards', 'retry', 'local'], 'No Acuse is running'],
  ])('acuse %j: %s', async (args, sentence) => {
    const { code, stdout, stderr } = await acuse(args)
    expect(stderr).toContain(sentence)
    expect([code, stdout]).toEqual([3, ''])
  })
})
