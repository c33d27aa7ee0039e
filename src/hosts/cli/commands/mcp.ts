import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { command, flag, option } from '../shared/command.ts'
import { wrongUsage } from '../shared/failures.ts'

/** Environment variable with the token of `--http`; without it each start makes another one. */
const TOKEN = 'ACUSE_MCP_TOKEN'
const LEAST_TOKEN = 16

export const mcp = command({
  name: 'mcp',
  about:
    'Serve tools for coding agents (Model Context Protocol) on stdin and stdout: search and read deliveries with findings, check bodies, read kinds, documents and sweeps. Credentials and personal data are masked.',
  options: {
    allowWrite: flag('also offer tools that send or change: replay, trigger, annotate, faults'),
    http: flag('serve over HTTP on this machine instead, with a token'),
    port: {
      ...option('<n>', 'with --http: the port (default: any free one)', z.int().min(0).max(65_535)),
      needs: 'http',
    },
  },
  json: 'with --http: print {"url","token"} when ready',
  examples: [
    ['acuse mcp', 'started by an agent from its configuration'],
    ['acuse mcp --allow-write', 'the agent may replay and trigger'],
    ['acuse mcp --http --port 4410', 'for agents that connect over HTTP'],
  ],
  note: `With --http the token is ${TOKEN} of the environment, else a new one; it is printed. docs/guide/agents.md has the configuration of common agents.`,
  async run({ allowWrite, http, port }, cli) {
    const token = cli.terminal.env[TOKEN]
    if (cli.json && !http)
      throw wrongUsage('--json goes with --http; otherwise stdout belongs to the protocol.')
    if (http && token !== undefined && token.length < LEAST_TOKEN)
      throw wrongUsage(`${TOKEN} has fewer than ${LEAST_TOKEN} characters; give a longer one, or none.`)
    // Loaded here: no other command needs the protocol.
    const { serveAgents } = await import('../mcp/serve.ts')
    await serveAgents({
      writes: allowWrite,
      http: http ? { port: port ?? 0, token: token ?? randomBytes(24).toString('base64url') } : null,
      cli,
    })
  },
})
