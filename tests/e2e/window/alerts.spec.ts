import { broken } from '../../support/axe.ts'
import { replayTargets } from '../../support/replay-targets.ts'
import { expect, test } from './test.ts'
import { closeBy, dialog, openWindow, shows } from './window.ts'

test('an alert is added by keyboard, checked field by field, tested, and its failure shows', async ({
  page,
  host,
}) => {
  await openWindow(page, { count: 3, at: 'settings/alerts' })
  await expect(page.getByText('No alerts yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Add alert' }).press('Enter')
  await dialog(page).getByRole('button', { name: 'Save' }).press('Enter')
  await shows(dialog(page), /Use 1 to 60 characters/, 'Enter the address to send to.')
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  await dialog(page).getByLabel('Name', { exact: true }).fill('quiet')
  await dialog(page).getByLabel('Minutes').fill('30')
  await dialog(page).getByText('Only in working hours').click()
  await dialog(page).getByLabel('From', { exact: true }).fill('7:30')
  await dialog(page).getByLabel('Time zone').fill('Nowhere')
  await dialog(page).getByLabel('Address').fill('http://169.254.169.254/')
  await shows(dialog(page), 'Enter a zone such as America/Santo_Domingo.')
  await dialog(page).getByLabel('Time zone').fill('America/Lima')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await shows(dialog(page), /Acuse never sends there/)
  await dialog(page).getByLabel('Address').fill('http://127.0.0.1:9/hook')
  await closeBy(page, 'Save')
  const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri']
  expect(host.api.sent('alerts.save').at(-1)).toEqual({
    ...{ name: 'quiet', enabled: true, cause: 'silence', filter: '', minutes: 30, program: null },
    hours: { from: '07:30', to: '18:00', weekdays, zone: 'America/Lima' },
    target: 'http://127.0.0.1:9/hook',
  })
  await shows(page, 'http://127.0.0.1:9/hook', 'No deliveries', '07:30–18:00 America/Lima')

  await page.getByRole('button', { name: 'Test quiet' }).click()
  await dialog(page).getByRole('button', { name: 'Send test' }).click()
  await shows(dialog(page), 'It did not get through.')
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  await page.keyboard.press('Escape')

  const { url } = await replayTargets()
  await page.getByRole('button', { name: 'Edit quiet' }).click()
  await dialog(page).getByLabel('Address').fill(`${url}/staging`)
  await closeBy(page, 'Save')
  await page.getByRole('button', { name: 'Test quiet' }).click()
  await dialog(page).getByRole('button', { name: 'Send test' }).click()
  await shows(dialog(page), 'It got through.')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Remove quiet' }).press('Enter')
  await expect(page.getByText('No alerts yet.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add alert' })).toBeFocused()
  await page.getByRole('button', { name: 'Undo' }).click()
  await shows(page, '07:30–18:00 America/Lima')
})

test('an open incident and a message that cannot be sent are seen, also away from the settings', async ({
  page,
  host,
}) => {
  await openWindow(page, { count: 3, at: 'settings/alerts' })
  await host.call('alerts.save', {
    ...{ name: 'off', enabled: true, cause: 'receiver-off', filter: '', minutes: 0, hours: null },
    ...{ target: 'http://127.0.0.1:9/', program: null },
  })
  await page.getByRole('switch', { name: /off/ }).first().waitFor()
  await host.call('receiver.stop', {})
  const line = page.getByRole('listitem').filter({ hasText: 'Receiver off' })
  await expect(line).toContainText('open since')
  await expect(line).toContainText('1 message waits')
  expect(await broken(page)).toEqual([])
  await page.getByRole('link', { name: 'Stream' }).click()
  const banner = page.getByText('The alert “off” cannot be sent.')
  await expect(banner).toBeVisible()
  await page.getByRole('button', { name: 'Alert settings' }).click()
  await expect(page).toHaveURL(/#\/settings\/alerts$/)
})
