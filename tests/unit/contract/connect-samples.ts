import type { Params } from '#contract/commands.ts'
import type { ConnectCommandName } from '#contract/connect-commands.ts'

export const CONNECT_VALID: {
  readonly [C in ConnectCommandName]: readonly [Params<C>, ...Params<C>[]]
} = {
  'connect.state': [{}],
  'connect.test': [{ url: 'https://hooks.example/in?x=1' }, { url: 'http://127.0.0.1:4400/', method: 'GET' }],
}

export const CONNECT_INVALID: {
  readonly [C in ConnectCommandName]?: readonly (readonly [what: string, params: unknown])[]
} = {
  'connect.test': [
    ['no absolute address', { url: 'hooks.example' }],
    ['another scheme', { url: 'ftp://hooks.example/' }],
    ['a password in the address', { url: 'https://me:secret@hooks.example/' }],
    ['a method that the service does not use', { url: 'https://hooks.example/', method: 'DELETE' }],
  ],
}
