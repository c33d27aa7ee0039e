import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished } from 'vitest'
import { CLI } from './host.ts'
import { tempFolder } from './temp-folder.ts'

/** An agent that has started `acuse mcp` on a data folder. */
export async function agent(dataDir: string, args: readonly string[] = []) {
  const client = new Client({ name: 'agent', version: '1.0.0' })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp', '--data', dataDir, ...args] }),
  )
  onTestFinished(() => client.close())
  /** @returns whether the tool refused, and the parts of its answer */
  async function raw(name: string, given: Record<string, unknown> = {}) {
    const { content, isError } = await client.callTool({ name, arguments: given })
    const texts = content.map((part) => (part.type === 'text' ? part.text : expect.fail(part.type)))
    return { refused: isError === true, texts }
  }
  return {
    client,
    raw,
    /** @returns the facts that the tool answers */
    async call(name: string, given: Record<string, unknown> = {}) {
      const { refused, texts } = await raw(name, given)
      expect([name, refused, refused ? texts : []]).toEqual([name, false, []])
      return JSON.parse(texts[0] ?? 'null')
    },
    async refusal(name: string, given: Record<string, unknown> = {}) {
      const { refused, texts } = await raw(name, given)
      expect([name, refused]).toEqual([name, true])
      return texts.join('\n')
    },
  }
}

/** Passes requests on with the token, for test suites that cannot send one. @returns its address */
export async function withToken(url: string, token: string): Promise<string> {
  const to = new URL(url)
  const server = createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${token}` }
    const sent = httpRequest(to, { method: request.method ?? 'GET', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    sent.on('error', () => response.destroy())
    request.pipe(sent)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${to.pathname}`
}

/**
 * Runs the conformance suite of the protocol against a server.
 * @param expected scenarios that fail, by name with the reason; the suite fails when one of them passes
 * @returns its output @throws when another scenario fails
 */
export async function conformance(
  url: string,
  scenarios: readonly string[],
  expected: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = tempFolder()
  const baseline = join(folder, 'baseline.yml')
  writeFileSync(
    baseline,
    `server:\n${Object.keys(expected)
      .map((name) => `  - ${name}\n`)
      .join('')}`,
  )
  const { resolve } = createRequire(import.meta.url)
  const suite = join(dirname(resolve('@modelcontextprotocol/conformance/package.json')), 'dist/index.js')
  const some = Object.keys(expected).length > 0 ? ['--expected-failures', baseline] : []
  const args = [suite, 'server', '--url', url, ...scenarios, ...some]
  const run = promisify(execFile)(process.execPath, args, { cwd: folder })
  return (await run.catch(({ stdout }: { stdout: string }) => Promise.reject(new Error(stdout)))).stdout
}
