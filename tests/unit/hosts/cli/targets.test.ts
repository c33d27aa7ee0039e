import { expect, test } from 'vitest'
import { cliHost } from '../../../support/cli-host.ts'
import { headerValues, hookReceiver } from '../../../support/hook-receiver.ts'
import { words } from '../../../support/words.ts'

const SECRET = 'canary-55e0aa'
const { host, acuse, json, post: postTo } = cliHost({ secret: SECRET, env: { TOKEN: SECRET } })
const post = () => postTo('/', undefined, { 'X-Old': 'a' })
async function refused(code: number, sentence: string, args: readonly string[]) {
  expect(await acuse(args)).toEqual({ code, stdout: '', stderr: expect.stringContaining(sentence) })
}

test('acuse targets: makes, shows, changes, renames and removes a target', async () => {
  expect((await acuse(['targets', 'list'])).stderr).toContain('There are none')
  const made = await json(['targets', 'set', 'one', '--url', 'http://127.0.0.1:1/a', '--default'])
  expect(made).toMatchObject({ name: 'one', method: null, path: 'target', query: 'append', headers: [] })
  const headers = words`--header ${'X-Tenant: 5'} --secret-header Authorization=TOKEN --strip X-Old`
  const changed = await json([...words`targets set one --rename two`, ...headers])
  expect(await json(['targets', 'list'])).toEqual({ targets: [changed], defaultTarget: 'two' })
  const { stdout } = await acuse(['targets', 'list'])
  expect(stdout).toMatch(/^two \(default\) {2}http:\/\/127\.0\.0\.1:1\/a\n/)
  expect(stdout).toContain('Authorization: <secret>')
  const back = await json(
    words`targets set two --strip-nothing --header ${'x-tenant: 6'} --remove-header authorization`,
  )
  expect(back).toMatchObject({ remove: [], headers: [{ name: 'x-tenant', value: '6' }] })
  await refused(3, 'Did you mean two?', ['targets', 'remove', 'twoo'])
  expect(await json(['targets', 'remove', 'two'])).toEqual({ removed: 'two' })
  expect(await json(['targets', 'list'])).toEqual({ targets: [], defaultTarget: null })
})

test('acuse targets: refuses a new one without an address, and a header that is not there to be removed', async () => {
  await refused(2, '--url', ['targets', 'set', 'none', '--method', 'PUT'])
  const args = ['targets', 'set', 'none', '--url', 'http://127.0.0.1:1/', '--remove-header', 'X-A']
  expect(await acuse(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('X-A') })
})

test('acuse targets: its secret goes out with a replay, survives a change and a configuration file, and is never shown', async () => {
  const handler = await hookReceiver()
  await post()
  await acuse(['targets', 'set', 'kept', '--url', handler.url, '--secret-header', 'Authorization=TOKEN'])
  await acuse(['targets', 'set', 'kept', '--strip', 'x-old'])
  const settings = (await acuse(['config', 'get', '--json'])).stdout
  expect((await acuse(['config', 'apply', '-'], { stdin: settings })).code).toBe(0)
  expect((await acuse(['replay', '--id', '1', '--to', 'kept', '--json'])).code).toBe(0)
  const [received] = handler.received
  if (!received) throw new Error('nothing came')
  expect(headerValues(received, 'Authorization')).toEqual([SECRET])
  expect(headerValues(received, 'X-Old')).toEqual([])
})

test('acuse forwards: makes one that sends on what comes, shows its queue, switches it off and removes it', async () => {
  const handler = await hookReceiver()
  expect((await acuse(['forwards', 'list'])).stderr).toContain('There are none')
  await acuse(['targets', 'set', 'staging', '--url', handler.url])
  const made = await json(['forwards', 'set', 'live', '--to', 'staging', '--filter', 'kind:factura.*'])
  const defaults = { enabled: true, whenDown: 'queue', answerFrom: null, temporary: false }
  const lanes = [{ target: 'staging', state: 'idle' }]
  const wanted = { name: 'live', filter: 'kind:factura.*', targets: ['staging'] }
  expect(made).toMatchObject({ ...wanted, ...defaults, lanes })
  await post()
  await handler.count(1)
  const listed = /^live {2}on {2}kind:factura\.\*\n.*staging {2}/s
  expect((await acuse(['forwards', 'list'])).stdout).toMatch(listed)
  await refused(3, '"live"', ['targets', 'remove', 'staging'])
  const off = await json(words`forwards set live --on no --when-down drop --rename off`)
  expect(off).toMatchObject({ name: 'off', enabled: false, whenDown: 'drop', filter: 'kind:factura.*' })
  const masked = 'off does not send to http://127.0.0.1:1/?token=<masked: 6 characters>; it sends to staging.'
  await refused(3, masked, words`forwards clear off http://127.0.0.1:1/?token=canary`)
  await refused(3, 'Did you mean off?', ['forwards', 'remove', 'of'])
  expect(await json(['forwards', 'remove', 'off'])).toEqual({ removed: 'off' })
  expect(handler.received).toHaveLength(1)
})

test.each([
  ['a new one that goes nowhere', ['--filter', 'is:late'], 2, '--to'],
  ['our own receiver', ['--to', 'OWN'], 3, 'own receiver'],
  [
    'an answer of another target',
    ['--to', 'http://127.0.0.1:1/', '--answer-from', 'kept'],
    2,
    'give one of them',
  ],
])('acuse forwards: %s is refused', (_, args, exit, sentence) => {
  const given = args.map((one) => (one === 'OWN' ? host().receiverUrl : one))
  return refused(exit, sentence, ['forwards', 'set', 'bad', ...given])
})
