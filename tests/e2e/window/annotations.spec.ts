import { broken } from '../../support/axe.ts'
import { expect, test } from './test.ts'
import { details, filterField, openWindow, rowAt, rowCount } from './window.ts'

test('a delivery is tagged and noted, found by it, and several at once', async ({ page }) => {
  await openWindow(page, { count: 60 })
  await rowAt(page, 3).click()
  const detail = page.getByRole('region', { name: 'Details of the delivery' })
  await detail.getByRole('button', { name: 'Tag', exact: true }).click()
  await page.keyboard.type('Urgent oct-25,')
  await expect(detail.getByText('oct-25')).toBeVisible()
  await page.keyboard.type('no"pe ')
  await expect(detail.getByRole('alert')).toContainText('without spaces, commas, quotes')
  await page.keyboard.press('Escape')
  await expect(rowAt(page, 3)).toContainText('urgent')

  await detail.getByRole('button', { name: 'Note', exact: true }).click()
  await page.keyboard.type('Asked the accountant.')
  // Left, not lost: another delivery comes in between.
  await page.keyboard.press('Escape')
  await expect(detail.getByText('Unsaved')).toBeVisible()
  await rowAt(page, 4).click()
  await expect(detail.getByText('Unsaved')).toBeHidden()
  await rowAt(page, 3).click()
  await detail.getByRole('button', { name: 'Edit the note' }).click()
  await page.keyboard.type(' Twice.')
  await page.keyboard.press('Control+Enter')
  await expect(detail.getByText('Asked the accountant. Twice.')).toBeVisible()
  await expect(detail.getByText('Unsaved')).toBeHidden()
  await expect(rowAt(page, 3).getByLabel('has a note')).toBeVisible()
  expect(await broken(page)).toEqual([])

  await page.keyboard.press('Escape')
  await rowAt(page, 6).click({ modifiers: ['Shift'] })
  await page.keyboard.press('l')
  const sheet = page.getByRole('dialog', { name: 'Tags of 4 deliveries' })
  await expect(sheet.getByText('1 of 4')).toHaveCount(2)
  await page.keyboard.type('batch')
  await page.keyboard.press('Enter')
  await expect(sheet.getByText('batch')).toBeVisible()
  await sheet.getByRole('button', { name: 'Remove “oct-25”' }).click()
  await expect(sheet.getByText('oct-25')).toBeHidden()
  await page.keyboard.press('Escape')
  await page.keyboard.press('m')
  await expect(page.getByRole('dialog', { name: 'Note about 4 deliveries' })).toContainText(
    'Replaces the note',
  )
  await page.keyboard.press('Escape')

  await filterField(page).fill('tag:')
  await expect(page.getByRole('option', { name: /batch.*4/ })).toBeVisible()
  await filterField(page).fill('tag:bat* -has:note')
  await expect.poll(() => rowCount(page)).toBe(3)
  await filterField(page).fill('has:note')
  await expect.poll(() => rowCount(page)).toBe(1)
})

test('deliveries are deleted, brought back, deleted by filter, and restored from Settings', async ({
  page,
  host,
}) => {
  await openWindow(page, { count: 60 })
  await host.call('deliveries.annotate', { ids: [52, 53, 54, 55], addTags: ['old'] })
  await host.call('deliveries.pin', { ids: [54], pinned: true })
  const opened = () => details(page).getByText(/^#\d+$/)
  await rowAt(page, 2).click()
  await expect(opened()).toHaveText('#58')
  // One goes at once, and the next takes its place.
  await page.keyboard.press('Delete')
  await expect.poll(() => rowCount(page)).toBe(59)
  await expect(opened()).toHaveText('#57')
  await expect(page.getByText('Deleted 1 delivery.', { exact: true })).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect.poll(() => rowCount(page)).toBe(60)
  // As another window does it.
  const { batch } = await host.call('deliveries.trash', { ids: [57] })
  await expect(details(page)).toContainText('no longer in the store')
  await host.call('deliveries.restore', { batch: batch ?? 0 })
  await expect(opened()).toHaveText('#57')

  // Several: the count is said first.
  await page.keyboard.press('Escape')
  await rowAt(page, 3).click()
  await page.keyboard.press('Escape')
  await rowAt(page, 5).click({ modifiers: ['Shift'] })
  await page.keyboard.press('Delete')
  const question = page.getByRole('alertdialog', { name: 'Delete 3 deliveries?' })
  await expect(question).toContainText('24 hours')
  await question.getByRole('button', { name: 'Delete 3 deliveries' }).click()
  await expect.poll(() => rowCount(page)).toBe(57)
  await page.getByRole('button', { name: /^Undo/ }).click()
  await expect.poll(() => rowCount(page)).toBe(60)

  // What a filter shows, but what is pinned and what comes meanwhile.
  await filterField(page).fill('tag:old')
  await expect.poll(() => rowCount(page)).toBe(4)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await rowAt(page, 0).click()
  await page.keyboard.press('Shift+Delete')
  const all = page.getByRole('alertdialog', { name: 'Delete 3 deliveries?' })
  await expect(all).toContainText('tag:old')
  await expect(all).toContainText('1 more is pinned and stays.')
  await all.getByRole('button', { name: 'Delete 3 deliveries' }).click()
  await expect.poll(() => rowCount(page)).toBe(1)

  await page.goto(`${page.url().split('#')[0]}#/settings/retention`)
  const trash = page.getByRole('list').filter({ hasText: 'by the filter tag:old' })
  await expect(trash).toContainText('3 deliveries')
  expect(await broken(page)).toEqual([])
  await trash.getByRole('button', { name: /Restore/ }).click()
  await expect(page.getByText('3 deliveries are back in the list.')).toBeVisible()
  await expect(page.getByText('The trash is empty.')).toBeVisible()
})
