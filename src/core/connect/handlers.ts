import type { Params, Result } from '#contract/commands.ts'
import type { ConnectCommandName, MachineAddress } from '#contract/connect-commands.ts'
import { AcuseError } from '#contract/errors.ts'
import type { SelfTests } from './self-test.ts'

type ConnectHandlers = { readonly [C in ConnectCommandName]: (params: Params<C>) => Promise<Result<C>> }

/** How this machine is reached from elsewhere, and the proof of it. */
export interface Connect {
  readonly selfTests: SelfTests
  /** Asked anew each time: a laptop changes networks. */
  addresses(): readonly MachineAddress[]
}

/** @param connect null in a host that does not receive */
export function connectHandlers(connect: Connect | null): ConnectHandlers {
  return {
    'connect.state': async () => ({
      addresses: connect?.addresses() ?? [],
      last: connect?.selfTests.last ?? null,
    }),
    'connect.test': async ({ url, method }) => {
      if (!connect)
        throw new AcuseError('not-available', 'This process does not receive; start it with "acuse serve".')
      return connect.selfTests.run(url, method)
    },
  }
}
