import type { ScenarioStep } from '../world.ts'
import type { Play, Stage } from './stage.ts'

/** One invoice through these operations; each is a step, and those after the first are about it. */
function* through(stage: Stage, names: readonly string[]): Iterable<ScenarioStep> {
  let id = ''
  yield stage.step((act) => {
    id = act.perform('create-invoice', { type: 'E31' })
  })
  for (const name of names) {
    if (!stage.lives()) return
    yield stage.step((act) => {
      act.perform(name, { id })
    })
  }
}

const ACCEPTED = ['submit', 'poll', 'poll', 'approve']

/** The short scenarios: the life of one invoice each. */
export const accepted: Play = (stage) => through(stage, ACCEPTED)
export const rejectedCorrected: Play = (stage) =>
  through(stage, ['submit', 'poll', 'reject', 'edit-invoice', 'submit', 'poll', 'approve'])
export const conditional: Play = (stage) => through(stage, ['submit', 'poll', 'accept-conditionally'])
export const creditNote: Play = (stage) => through(stage, [...ACCEPTED, 'edit-amount'])
export const voidBefore: Play = (stage) => through(stage, ['void'])
export const voidAfter: Play = (stage) => through(stage, [...ACCEPTED, 'void'])
