import { describe, expect, it } from 'vitest'
import { DEEDS } from '@/views/delivery/deeds.ts'
import { ACTIONS } from '@/views/shell/actions.ts'
import { actionsHere, aloneActions } from '@/views/shell/actions-here.ts'

const alone = aloneActions(42)
const idsOf = (group: string) => alone.filter((action) => action.group === group).map(({ id }) => id)

/** A key of the table of actions as the event of the keyboard names it. */
const pressed = ([first = '', second]: readonly string[]): string => second ?? first

describe('the actions of a window of one delivery (issue E, 9)', () => {
  it('are those of a delivery, of how it looks, and of help; nothing of a list or of another screen', () => {
    expect(idsOf('delivery')).toEqual([
      ...['goToPlace', 'pin', 'tags', 'note', 'compare', 'replay', 'replaySheet'],
      ...['copyText', 'copyJson', 'copyNdjson', 'copyCurl', 'copyCurlSecrets'],
    ])
    for (const group of ['list', 'go', 'service', 'receiver']) expect(idsOf(group), group).toEqual([])
    for (const group of ['look', 'help'])
      expect(idsOf(group), group).toEqual(
        ACTIONS.filter((action) => action.group === group).map(({ id }) => id),
      )
  })
  it('need no row that is pointed at', () => {
    for (const { group, hindered } of alone) if (group === 'delivery') expect(hindered).toBeUndefined()
  })
  it('show the key that does it, and only that', () => {
    for (const { action, key } of DEEDS) {
      const [first] = alone.find(({ id }) => id === action)?.keys ?? []
      expect(first && pressed(first).toLowerCase(), action).toBe(key?.toLowerCase())
      // A capital is the key with Shift.
      if (first) expect(first[0] === 'Shift', action).toBe(key !== key?.toLowerCase())
    }
  })
  it('stand in the place of all only there', () => {
    expect(actionsHere()).toBe(ACTIONS)
  })
})
