import { expect, onTestFinished, test } from 'vitest'
import { serveHttp } from '#hosts/cli/mcp/http.ts'
import { conformance, withToken } from '../support/agent.ts'
import { fixtureServer } from '../support/mcp-fixtures.ts'

const ASKS = 'the server asks the agent; over HTTP Acuse has no sessions and asks nothing'
const RESUMES = 'resumes a stream by its session; an answer of Acuse is one response'
/** Scenarios that the HTTP layer does not pass, and why. */
const EXPECTED = {
  'tools-call-sampling': ASKS,
  'tools-call-elicitation': ASKS,
  'elicitation-sep1034-defaults': ASKS,
  'elicitation-sep1330-enums': ASKS,
  'server-sse-polling': RESUMES,
  'server-sse-multiple-streams': RESUMES,
}
const TOKEN = 'a-token-of-the-test'

test('every scenario of the protocol’s conformance suite passes over the HTTP layer of the agents’ server, but for those that need sessions', {
  timeout: 240_000,
}, async () => {
  const { url, close } = await serveHttp(fixtureServer, 0, TOKEN)
  onTestFinished(close)
  const output = await conformance(await withToken(url, TOKEN), ['--suite', 'all'], EXPECTED)
  const passed = [...output.matchAll(/✓ ([\w-]+): [1-9]\d* passed, 0 failed/g)].map(([, name]) => name)
  expect(passed.length).toBeGreaterThanOrEqual(26)
  expect(passed.filter((name = '') => name in EXPECTED)).toEqual([])
})
