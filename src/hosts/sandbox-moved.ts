import type { Params, Result } from '#contract/commands.ts'
import type { Connection } from '#contract/connection.ts'

type Save = (params: Params<'connections.save'>) => Promise<Result<'connections.save'>>

/**
 * Leads the connections to the sandbox's address of before to the one it has now; their credentials stay, since its keys outlast it.
 * @param save the command, so that every window hears of it
 */
export async function followSandbox(
  connections: readonly Connection[],
  from: string,
  to: string,
  save: Save,
): Promise<void> {
  // One after the other: each saving is a change of the same settings.
  for (const { apiKey: _key, pluginToken: _token, ...terms } of connections)
    if (terms.baseUrl === from) await save({ ...terms, previousName: terms.name, baseUrl: to })
}
