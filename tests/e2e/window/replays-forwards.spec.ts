import type { ForwardLane } from '#contract/replay.ts'
import { broken } from '../../support/axe.ts'
import { anEvent } from '../../support/events.ts'
import { aForward } from '../../support/records.ts'
import type { WindowHost } from '../../support/window-host.ts'
import { openWithTargets } from './replays.ts'
import { expect, test } from './test.ts'
import { closeBy, dialog, fill, goTo, tells } from './window.ts'

test('a forward is made with its filter and errors, and turned off and on', async ({ page, host }) => {
  await openWithTargets(page, { at: 'replays/forwards' })
  await expect(page.getByText('No live forwards')).toBeVisible()
  await page.getByRole('button', { name: 'New forward' }).last().click()
  await dialog(page).getByLabel('Name').fill('Bad Name')
  const filter = dialog(page).getByRole('combobox', { name: 'Which deliveries' })
  await filter.fill('kind:factra.created')
  await expect(dialog(page).getByText('Did you mean')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialog(page).getByText(/Use 1 to 60 characters/)).toBeVisible()
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  expect(host.api.sent('forwards.save')).toEqual([])
  await dialog(page).getByLabel('Name').fill('erp')
  await filter.fill('group:invoices')
  await dialog(page).getByRole('checkbox', { name: 'flaky' }).click()
  await dialog(page).getByLabel('Answer to the service').selectOption('app')
  await dialog(page).getByLabel('Wait at most').fill('2500')
  await dialog(page).getByRole('radio', { name: 'discard' }).click()
  await closeBy(page, 'Save')
  expect(host.api.sent('forwards.save').at(-1)).toEqual({
    ...{ name: 'erp', enabled: true, filter: 'group:invoices', targets: ['app', 'flaky'], concurrency: 1 },
    ...{ whenDown: 'drop', answerFrom: 'app', answerTimeoutMs: 2_500, temporary: false },
  })
  await page.getByRole('switch', { name: 'erp on' }).click()
  await expect(page.getByText('off', { exact: true }).first()).toBeVisible()
})

test('a target that is down says why; its queue is cleared after a question', async ({ page, host }) => {
  await openWithTargets(page, { at: 'replays/forwards' })
  const only = { name: 'erp-dev', filter: 'group:invoices', concurrency: 4 }
  const forward = aForward({ ...only, targets: ['app', 'down-box'] })
  await host.call('forwards.save', forward)
  const lane = page.getByRole('listitem').filter({ hasText: 'down-box' }).last()
  await expect(lane).toContainText('up to date')
  for (let n = 0; n < 3; n++) await host.deliver(JSON.stringify(anEvent('factura.created')))
  await tells(lane, '3 waiting', 'Nothing listens at http://127.0.0.1:1: ', /next try in (under )?\d+ s/)
  expect(await broken(page)).toEqual([])
  await lane.getByRole('button', { name: 'Try now' }).click()
  await expect.poll(() => host.api.sent('forwards.retry')).toEqual([{ name: 'erp-dev' }])
  await lane.getByRole('button', { name: 'Clear queue…' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('3 deliveries are discarded')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Clear the queue' }).click()
  await tells(lane, '0 waiting', '3 discarded')
  await stall(host)
  await expect(lane).toContainText('resumes by itself. database or disk is full')
  await page.getByRole('button', { name: 'Remove erp-dev' }).click()
  await expect(page.getByText('No live forwards')).toBeVisible()
  // No delivery waited, so the window offers undo without a confirmation.
  await expect(page.getByText('Removed the forward “erp-dev”.', { exact: true })).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('button', { name: 'Remove erp-dev' })).toBeVisible()
})

/** Makes the window see queues that wait for room on the disk. */
async function stall(host: WindowHost): Promise<void> {
  const { forwards } = await host.call('forwards.list', {})
  const stall = { code: 'storage', message: 'database or disk is full' } as const
  const stalled = forwards.map(({ lanes, ...forward }) => ({
    ...forward,
    lanes: lanes.map((lane): ForwardLane => ({ ...lane, state: 'stalled', stall })),
  }))
  host.api.push('replays.changed', { jobs: [], forwards: stalled, deliveries: [], more: false })
}

test('targets: the first becomes the default, secrets are kept by null', async ({ page, host }) => {
  await openWithTargets(page)
  for (const name of ['app', 'staging', 'flaky', 'down-box']) await host.call('targets.remove', { name })
  await goTo(page, 'settings/targets')
  await expect(page.getByText(/No targets yet/)).toBeVisible()
  await page.getByRole('button', { name: 'Add target' }).click()
  await dialog(page).getByLabel('Name', { exact: true }).fill('stage')
  await dialog(page).getByLabel('URL').fill('https://stage.example.com/in/')
  await dialog(page).getByRole('radiogroup', { name: 'Path' }).getByRole('radio').last().click()
  await expect(dialog(page).getByText('https://stage.example.com/in/erp/webhooks?source=acct')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Add header' }).click()
  await dialog(page).getByLabel('Name of header 1').fill('Authorization')
  await dialog(page).getByRole('checkbox', { name: 'Secret' }).click()
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialog(page).getByText('Enter the value of this secret.')).toBeVisible()
  await dialog(page).getByLabel('Value of header 1').fill('Bearer 1')
  const lend = dialog(page).getByRole('switch', { name: /Send the receiver’s secret header/ })
  await lend.click()
  await expect(dialog(page).getByText(/The operator of stage.example.com learns the secret/)).toBeVisible()
  await dialog(page).getByRole('switch', { name: 'Accept any certificate' }).click()
  await expect(dialog(page).getByText(/Anybody on the way can read/)).toBeVisible()
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  await closeBy(page, 'Save')
  expect(host.api.sent('targets.set-default')).toEqual([{ name: 'stage' }])
  await page.getByRole('button', { name: 'Edit stage' }).click()
  await expect(dialog(page).getByLabel('Value of header 1')).toHaveValue('')
  await expect(page.getByText('Bearer 1')).toHaveCount(0)
  await closeBy(page, 'Save')
  const saved = host.api.sent('targets.save') as { headers: unknown }[]
  expect(saved.at(-1)?.headers).toEqual([{ name: 'Authorization', value: null, secret: true }])
  await page.getByRole('button', { name: 'Stop using stage as the default' }).click()
  await expect.poll(async () => host.api.sent('targets.set-default').at(-1)).toEqual({ name: null })
  await page.getByRole('button', { name: 'Remove stage' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove target' }).click()
  await expect(page.getByText(/No targets yet/)).toBeVisible()
})

test('where the system does not protect secrets, that is said beside them', async ({ page, host }) => {
  await openWithTargets(page, { at: 'settings/targets' })
  await page.getByRole('button', { name: 'Edit staging' }).click()
  await expect(dialog(page).getByText(/is not protected/)).toHaveCount(0)
  await page.keyboard.press('Escape')
  host.api.answer('app.info', async (_, ask) => {
    const info = await ask()
    const capabilities = { ...info.capabilities, osSecretStore: true, weakSecretStore: true }
    return { ...info, capabilities }
  })
  await host.losePush()
  await page.getByRole('button', { name: 'Edit staging' }).click()
  await expect(dialog(page).getByText(/The secret store of this system is not protected/)).toBeVisible()
})

test('a fault shows in the status bar while it is active, with what ends it', async ({ page, host }) => {
  await openWithTargets(page, { at: 'settings/faults' })
  await expect(page.getByText(/No active faults/)).toBeVisible()
  await page.getByRole('button', { name: 'Add fault' }).click()
  await dialog(page).getByLabel('Effect').selectOption('delay')
  await fill(dialog(page), { Delay: '2500', Share: '25', 'Only the next': '20' })
  await closeBy(page, 'Start')
  const effect = { type: 'delay', ms: 2_500 }
  expect(host.api.sent('faults.add')).toEqual([
    { endpoint: null, effect, probability: 0.25, seed: 1, filter: '', next: 20, until: null },
  ])
  await goTo(page, 'stream')
  await page.getByRole('button', { name: '1 fault active' }).click()
  const list = page.getByRole('dialog', { name: 'Faults' })
  await tells(list, 'Answers 2.5 s later', '25 %')
  expect(await broken(page, '[role="dialog"]')).toEqual([])
  await list.getByRole('button', { name: 'End all faults' }).click()
  await expect(page.getByRole('button', { name: /fault active/ })).toHaveCount(0)
})
