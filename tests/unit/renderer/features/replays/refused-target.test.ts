import { expect, test } from 'vitest'
import type { Refusal } from '#contract/errors.ts'
import { refusedForwardField } from '../../../../../renderer/src/features/replays/forward-draft.ts'
import { refusedTargetField } from '../../../../../renderer/src/features/settings/target-draft.ts'

const refused = (path: string, reason?: string): Refusal => ({
  code: 'bad-params',
  message: '',
  details: { path, ...(reason === undefined ? {} : { reason }) },
})

test('an address that is our own receiver is said where it was typed or chosen (Loop guard)', () => {
  expect(refusedTargetField(refused('url', 'own-receiver')).get('url')).toBe('ownReceiver')
  expect(refusedTargetField(refused('url', 'destination-refused')).get('url')).toBe('forbidden')
  expect(refusedTargetField(refused('url')).get('url')).toBe('notHttp')
  expect(refusedForwardField(refused('targets.0', 'own-receiver'))).toBe('ownReceiver')
  expect(refusedForwardField(refused('targets.0', 'destination-refused'))).toBe('forbidden')
  expect(refusedForwardField(refused('targets.0'))).toBeNull()
})
