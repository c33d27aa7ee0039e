import { broken } from '../../support/axe.ts'
import { aLine, anEvent, aUuid } from '../../support/events.ts'
import { tells } from '../window/window.ts'
import { expect, filterTo, rows, test } from './app.ts'

const line = (id: number, more: object = {}) => ({ ...aLine(), LineId: aUuid(id), ...more })
const event = (number: string, lines: object[], more: object = {}) =>
  JSON.stringify(
    anEvent('factura.updated', {
      Timestamp: `2026-11-21T09:20:4${lines.length}-04:00`,
      data: { DocumentId: aUuid(77), Number: number, Lines: lines, ...more },
    }),
  )

test('deliveries are compared by structure; volatile members are ignored', async ({ app, window }) => {
  await app.deliver('POST', '/', event('E310000000001', [line(1), line(2)]), ['X-Try', 'one'])
  const changed = event('E310000000009', [line(2), line(1, { Quantity: 7 }), line(3)], { Nuevo: 1 })
  await app.deliver('POST', '/', changed, ['X-Try', 'two'])
  await app.deliver('POST', '/', 'no JSON\nat all')
  await filterTo(window, `doc:${aUuid(77)}`, 2)
  await rows(window).first().click()
  await window.keyboard.press('c')
  const dialog = window.getByRole('dialog', { name: 'Compare deliveries' })
  const tree = dialog.getByRole('treegrid')
  await expect(tree).toBeVisible()
  const counts = dialog.getByRole('status')
  await tells(counts, 'added', 'moved', 'ignored')
  const number = tree.getByRole('row').filter({ hasText: 'E310000000009' })
  await expect(number).toContainText('E310000000001')
  await expect(tree.getByRole('row').filter({ hasText: 'place 2 → 1' })).toBeVisible()
  expect(await broken(window, '[role="dialog"]')).toEqual([])

  // An ignored difference no longer counts, and can be restored.
  await tree.press('n')
  await window.keyboard.press('i')
  await expect(counts).toContainText('2 ignored')
  await dialog.getByRole('button', { name: /Stop ignoring \/data/ }).press('Enter')
  await expect(counts).toContainText('1 ignored')

  await dialog.getByRole('tab', { name: /Headers/ }).press('Enter')
  await expect(dialog.getByRole('row').filter({ hasText: 'X-Try' })).toContainText('two')
  await window.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})
