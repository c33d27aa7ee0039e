import { headerValue } from '#contract/params.ts'
import { wrongUsage } from './failures.ts'
import type { Terminal } from './terminal.ts'
import { visible } from './visible.ts'

export interface CredentialOptions {
  /** Name of an environment variable. */
  readonly env?: string
  readonly stdin?: boolean
  readonly forget?: boolean
}

/**
 * Reads a credential from where no list of processes and no shell's history has it.
 * @param option the name that its options share, such as "--api-key"
 * @returns absent: it stays as it is; null: it is forgotten
 * @throws CommandFailure when it is named twice, is not there, or cannot travel in a header
 */
export async function credentialFrom(
  option: string,
  { env, stdin, forget }: CredentialOptions,
  terminal: Pick<Terminal, 'env' | 'readAll' | 'say'>,
): Promise<string | null | undefined> {
  if ([env !== undefined, stdin, forget].filter(Boolean).length > 1)
    throw wrongUsage(`Give one of ${option}-env, ${option}-stdin and --forget-${option.slice(2)}.`)
  if (forget) return null
  if (env !== undefined) return checked(option, fromEnvironment(option, env, terminal.env))
  if (!stdin) return undefined
  terminal.say(`Reading the ${option.slice(2).replace('-', ' ')} from stdin, up to its end.`)
  // `echo` and editors end the line; that newline is not part of the value.
  return checked(option, (await terminal.readAll()).toString().replace(/\r?\n$/, ''))
}

function fromEnvironment(option: string, name: string, env: Terminal['env']): string {
  const value = env[name]
  // Whoever put the value itself there has it in the shell's history already; it is not printed as well.
  if (!value)
    throw wrongUsage(
      /^[A-Za-z_]\w*$/.test(name) && name.length <= 40
        ? `${option}-env: the environment has no ${visible(name)}.`
        : `${option}-env takes the name of an environment variable, not the value.`,
    )
  return value
}

function checked(option: string, value: string): string {
  if (value === '' || !headerValue.safeParse(value).success || value.trim() !== value)
    throw wrongUsage(`${option}: what was given is empty or cannot stand in a header.`)
  return value
}
