import { expect, test } from './test.ts'
import { atHost, openWindow, pill, rowAt } from './window.ts'

test('before the first delivery the URL, a curl line and the checklist say the next step', async ({
  page,
}) => {
  await openWindow(page, { count: 0 })
  await expect(page.getByText('Waiting for the first delivery')).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Copy the URL' }).click()
  await page.getByRole('button', { name: 'Copy the command' }).click()
  const copied = await atHost(page, (host) => host.copied)
  expect(copied[0]).toBe('http://127.0.0.1:4400/')
  expect(copied[1]).toContain("curl -sS -X POST 'http://127.0.0.1:4400/'")
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(5)
  await atHost(page, (host) => host.arrive(1))
  await expect(rowAt(page, 0)).toBeVisible()
})

test('with the receiver off the empty page offers to start it', async ({ page }) => {
  await openWindow(page, { count: 0 })
  await atHost(page, (host) => host.setStatus({ receiver: { state: 'off' } }))
  await page.getByRole('button', { name: 'Start the receiver' }).click()
  await expect(page.getByRole('contentinfo')).toContainText('Listening')
})

test('a taken port is said with the port, and the next free one is one press away', async ({ page }) => {
  await openWindow(page, { count: 10 })
  await atHost(page, (host) =>
    host.setStatus({
      receiver: {
        state: 'failed',
        failure: {
          code: 'port-in-use',
          host: '127.0.0.1',
          port: 4400,
          message: 'EADDRINUSE',
          nextFreePort: 4403,
        },
      },
    }),
  )
  await expect(page.getByRole('alert')).toContainText('Port 4400 on 127.0.0.1 is taken')
  await page.getByRole('button', { name: 'Use port 4403' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByRole('contentinfo')).toContainText('http://127.0.0.1:4403/')
})

test('a lost connection says when it is tried again, and then reads everything again', async ({ page }) => {
  await openWindow(page, { count: 10 })
  await atHost(page, (host) => host.connection('lost'))
  await expect(page.getByRole('alert')).toContainText('Trying again in')
  await atHost(page, (host) => {
    host.store.count += 4
  })
  await page.getByRole('button', { name: 'Try now' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(rowAt(page, 13)).toBeVisible()
})

test('a failing store is said, and a damaged one is brought back on demand', async ({ page }) => {
  await openWindow(page, { count: 10 })
  await atHost(page, (host) =>
    host.setStatus({
      store: {
        ...host.status.store,
        state: 'refusing',
        reason: 'no space left on device',
        incidents: [
          {
            at: 1_700_000_000_000,
            kind: 'damaged',
            reason: 'malformed',
            setAside: ['/data/old.db', '/data/old.db-wal'],
            fresh: '/data/new.db',
            salvage: 'offered',
            recovered: 0,
          },
        ],
        unreadJournals: [{ path: '/data/spill-1.journal', reason: 'Permission denied' }],
      },
    }),
  )
  await expect(page.getByRole('alert')).toContainText('no space left on device')
  await expect(page.getByText('/data/old.db-wal')).toBeVisible()
  await expect(page.getByText('/data/new.db')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Permission denied' })).toContainText(
    '/data/spill-1.journal',
  )
  await page.getByRole('button', { name: 'Bring back what can be read' }).click()
  await expect(page.getByText('1,204 deliveries were brought back.')).toBeVisible()
})

test('a reached disk budget leads to Retention', async ({ page }) => {
  await openWindow(page, { count: 10 })
  await atHost(page, (host) =>
    host.setStatus({
      disk: {
        ...{ usedBytes: 5_100_000_000, budgetBytes: 5_000_000_000, overBudget: 'warn' },
        ...{ trashBytes: 0, rejectedBytes: 0, malformedBytes: 0, freeBytes: null },
      },
    }),
  )
  await page.getByRole('button', { name: 'Choose in Retention' }).click()
  await expect(page).toHaveURL(/#\/settings\/retention$/)
})

test('a list that cannot be read says why and can be tried again', async ({ page }) => {
  await openWindow(page, { count: 10 })
  await atHost(page, (host) => host.refuse.set('deliveries.page', 'the database is locked'))
  await atHost(page, (host) => host.push('store.reset', { reason: 'replaced' }))
  await expect(page.getByRole('alert')).toContainText('the database is locked')
  await atHost(page, (host) => host.refuse.clear())
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('the window speaks Spanish throughout, with the language in its document', async ({ page }) => {
  await openWindow(page, { count: 30, language: 'es' })
  await expect(page.locator('html')).toHaveAttribute('lang', 'es')
  await expect(page.getByRole('heading', { name: 'Entregas' })).toBeVisible()
  await expect(rowAt(page, 0)).toContainText(/válida|con notas|con avisos|inválida|ilegible/)
  await page.getByRole('button', { name: 'English' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.getByRole('heading', { name: 'Stream' })).toBeVisible()
})

test('the theme goes round system, light and dark', async ({ page }) => {
  await openWindow(page, { count: 3, theme: 'light' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await page.getByRole('button', { name: 'Theme: light' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('what came in a delivery is text, never markup', async ({ page }) => {
  await openWindow(page, { count: 3 })
  await atHost(page, (host) => {
    host.store.change({
      ...host.store.row(2),
      event: '<img src=x onerror="window.hacked=1">',
      kind: null,
      group: null,
      url: '/<script>window.hacked=1</script>',
    })
    host.changed([host.store.row(2)])
  })
  await expect(rowAt(page, 0)).toContainText('<img src=x')
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  await expect(pill(page)).toHaveCount(0)
})
