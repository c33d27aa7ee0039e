import { WEBHOOK_PLAN } from '#catalog/service.ts'
import { offsetMinutes } from '../domain/local-time.ts'
import type { Workspace } from '../domain/records.ts'
import { bad } from '../domain/refusal.ts'
import type { Store } from './store.ts'

const DEFAULT_NAME = 'Acuse Sandbox'
/** Dominican local time (readings, Sandbox choices). */
export const DEFAULT_OFFSET = '-04:00'
const LONGEST = 200

const PROBLEMS: Readonly<Record<keyof Workspace, (value: unknown) => string | null>> = {
  name: (value) => textProblem('name', value),
  plan: (value) => textProblem('plan', value),
  offset: (value) =>
    typeof value === 'string' && offsetMinutes(value) !== null
      ? null
      : 'offset is written as in -04:00, from -14:00 to +14:00.',
}

function textProblem(name: string, value: unknown): string | null {
  const fits =
    typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST && value.isWellFormed()
  return fits && !value.includes('\0') ? null : `${name} is a text of 1 to ${LONGEST} characters.`
}

const isMember = (name: string): name is keyof Workspace => Object.hasOwn(PROBLEMS, name)

/** @throws Refusal (400) for a member that there is not, or a value that does not fit */
export function checkedWorkspace(
  change: Partial<Workspace>,
): readonly (readonly [keyof Workspace, string])[] {
  if (typeof change !== 'object' || change === null || Array.isArray(change))
    throw bad('bad-workspace', 'The workspace is changed by a JSON object with name, plan, offset.')
  return Object.entries(change)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const problem = isMember(name)
        ? PROBLEMS[name](value)
        : `A workspace has name, plan, offset; “${name.slice(0, 60)}” is none.`
      if (problem !== null || !isMember(name)) throw bad('bad-workspace', problem ?? '')
      return [name, String(value)]
    })
}

export const readWorkspace = (store: Store): Workspace => ({
  name: store.setting('name') ?? DEFAULT_NAME,
  plan: store.setting('plan') ?? WEBHOOK_PLAN,
  offset: store.setting('offset') ?? DEFAULT_OFFSET,
})
