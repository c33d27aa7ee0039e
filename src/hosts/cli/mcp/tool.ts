import type { CallToolResult, McpServer } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import type { Cli } from '../shared/command.ts'
import { understand } from '../shared/failures.ts'
import type { Reached } from '../shared/reach.ts'
import type { AnswerMask } from './mask.ts'

/** What a tool works with. Each call finds the engine anew: the app may start or end while the agent runs. */
export interface ToolContext {
  /** Runs with the engine of the data folder, in this process when no host runs on it. */
  readonly existing: Cli['existing']
  /** As `existing`; fails unless a host runs. */
  readonly running: Cli['running']
  readonly mask: AnswerMask
}

export type Call = Reached['call']

/** `text` follows the facts in a part of its own, such as a body with the digits of its numbers. */
interface Answer {
  readonly facts: unknown
  readonly text?: string
}

export interface Tool {
  readonly name: string
  readonly about: string
  readonly params: z.ZodObject
  readonly writes: boolean
  register(server: McpServer, context: ToolContext): void
}

interface ToolSpec<P extends z.ZodObject> {
  readonly name: string
  readonly about: string
  readonly params: P
  readonly writes?: boolean
  run(given: z.output<P>, context: ToolContext): Promise<Answer> | Answer
}

/** Characters of an answer: what an agent reads costs its user money, so larger answers are refused with advice. */
export const MOST_ANSWER = 60_000

/** Declares a tool; server, documentation and tests derive from the declaration. */
export const tool = <P extends z.ZodObject>(spec: ToolSpec<P>): Tool => {
  const { name, about, params, writes = false, run } = spec
  const inputSchema: z.ZodObject = params
  return {
    name,
    about,
    params,
    writes,
    register(server, context) {
      const annotations = { readOnlyHint: !writes, destructiveHint: false, openWorldHint: writes }
      server.registerTool(name, { description: about, inputSchema, annotations }, (given) =>
        answered(() => run(given as z.output<P>, context)),
      )
    },
  }
}

async function answered(run: () => Promise<Answer> | Answer): Promise<CallToolResult> {
  try {
    const { facts, text } = await run()
    const parts = [JSON.stringify(facts), ...(text === undefined ? [] : [text])]
    const size = parts.reduce((sum, part) => sum + part.length, 0)
    if (size > MOST_ANSWER)
      return refused(
        `The answer has ${size} characters; at most ${MOST_ANSWER} are given. Ask for less: a lower limit, one kind, or a narrower filter.`,
      )
    return { content: parts.map((part) => ({ type: 'text', text: part })) }
  } catch (error) {
    return refused(understand(error).sentence ?? 'That could not be done.')
  }
}

const refused = (sentence: string): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text: sentence }],
})
