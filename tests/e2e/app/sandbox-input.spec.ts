import type { Locator, Page } from '@playwright/test'
import { expect, test } from './app.ts'

/**
 * B, Proof: every form of the Sandbox screen says at each field what is wrong with it, and changes nothing. Which values are refused, and
 * with which words, is proved without a browser (sandbox/forms.test.ts of the renderer, sandbox/admin/forms.test.ts).
 */
test.use({ hostArgs: ['--sandbox'] })

const NUMBER = /^Give a (?:whole )?number/
const NAME = /^Shorten it/
const LONG = 'x'.repeat(1_001)
const BY_TYPE: Readonly<Record<string, readonly [string, RegExp]>> = {
  uuid: ['7', /^Give a UUID/],
  integer: ['1.5', NUMBER],
  decimal: ['1.234', NUMBER],
  string: [LONG, NAME],
}

type Wrong = readonly (readonly [label: string, typed: string, says: RegExp])[]

/** Types what is wrong into the fields of a form and presses the button that begins with `save`. */
async function refuse(form: Locator, wrong: Wrong, save?: string): Promise<void> {
  for (const [label, typed] of wrong) await form.getByLabel(label, { exact: true }).fill(typed)
  // A button that is disabled by then takes no click, and need not.
  if (save) await form.getByRole('button', { name: new RegExp(`^${save}`) }).dispatchEvent('click')
  for (const [label, , says] of wrong) await told(form.getByLabel(label, { exact: true }), says)
}

async function told(field: Locator, says: RegExp): Promise<void> {
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveAccessibleDescription(says)
}

/** Every field of a form that takes a number, with a word in it. */
async function refuseNumbers(form: Locator): Promise<void> {
  const fields = form.locator('input[inputmode]:visible')
  await expect(fields.first()).toBeVisible()
  for (const field of await fields.all()) {
    await field.fill('many')
    await told(field, NUMBER)
  }
}

const forms: readonly (readonly [
  part: string,
  what: string,
  (page: Page, form: Locator) => Promise<void>,
])[] = [
  [
    'Subscriptions',
    'a subscription and its headers',
    async (page, form) => {
      await page.getByRole('button', { name: 'Add subscription' }).click()
      await form.getByRole('button', { name: 'Add header' }).click()
      const wrong = [
        ['URL', 'https://a:b@example.com/', /user name and password/],
        ['Name', LONG, NAME],
        ['Name of header 1', 'X A', /header name/],
        ['Value of header 1', '日本', /^A header value/],
      ] as const
      await refuse(form, wrong, 'Save')
    },
  ],
  [
    'Emit',
    'the count of an event',
    (page) => refuse(page.getByRole('region', { name: 'Emit' }), [['Count', '1001', NUMBER]], 'Send'),
  ],
  [
    'Scenarios',
    'every scenario',
    (page) =>
      refuseNumbers(page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Run / }) })),
  ],
  ['Traffic', 'the traffic generator', (page) => refuseNumbers(page.locator('form'))],
  ['Laboratory', 'shares, times and seed', (page) => refuseNumbers(page.getByRole('main'))],
  [
    'Keys and plugins',
    'keys and plugins',
    async (page, form) => {
      const own = /is the sandbox’s own/
      await refuse(page.locator('form'), [['Name of the key', 'Acuse', own]], 'Issue a key')
      await page.getByRole('button', { name: 'Install a plugin' }).click()
      const wrong = [
        ['Name', 'Acuse', own],
        ['URL for other plugins’ events', 'nowhere', /whole address/],
      ] as const
      await refuse(form, wrong, 'Install')
    },
  ],
  [
    'Log',
    'the search of the log',
    (page) =>
      refuse(page.getByRole('region', { name: 'Log' }), [
        ['Find in kind, document, address, request, answer', LONG, NAME],
      ]),
  ],
]

test('wrong values are told at every field of every form, and nothing is changed', async ({
  app,
  window,
}) => {
  test.slow()
  const { sandbox } = app.host
  const admin = async (path: string) => {
    const answer = await fetch(`${sandbox?.sandbox}/_sandbox${path}`, {
      headers: { Authorization: `Bearer ${sandbox?.admin}` },
    })
    return answer.json()
  }
  const everything = () => Promise.all(['/state', '/subscriptions', '/keys', '/plugins'].map(admin))
  await window.getByRole('link', { name: 'Sandbox' }).click()
  const open = (part: string) =>
    window
      .getByRole('navigation', { name: 'Parts of the sandbox' })
      .getByRole('button', { name: part })
      .click()
  const dialog = window.getByRole('dialog')
  const before = await everything()
  for (const [part, what, refuses] of forms)
    await test.step(what, async () => {
      await open(part)
      await refuses(window, dialog)
      if (await dialog.isVisible()) await dialog.getByRole('button', { name: 'Cancel' }).click()
    })

  await test.step('every parameter of every operation', async () => {
    await open('Operations')
    const { operations } = (await admin('/operations')) as {
      operations: {
        name: string
        parameters: { name: string; type: string; required: boolean; values?: string[] }[]
      }[]
    }
    const form = window.locator('form')
    for (const { name, parameters } of operations) {
      const wrong = parameters.flatMap(({ name: own, type, required, values }) => {
        const one = values ? undefined : BY_TYPE[type]
        return one ? [[required ? `${own} *` : own, ...one] as const] : []
      })
      if (wrong.length === 0) continue
      await window.getByRole('option', { name, exact: true }).click()
      await expect(window.getByRole('region', { name, exact: true })).toBeVisible()
      await refuse(form, wrong, 'Perform')
    }
  })

  await test.step('the workspace, and beginning anew', async () => {
    await window.getByTitle('Workspace').click()
    await dialog.getByRole('radio', { name: 'Another' }).click()
    const wrong = [
      ['Name', LONG, NAME],
      ['Name of the plan', '', /^This is needed/],
      ['Offset of Timestamp', '+15:00', /^Write it as -04:00/],
    ] as const
    await refuse(dialog, wrong, 'Save')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await window.getByRole('button', { name: 'More', exact: true }).click()
    await window.getByRole('menuitem', { name: 'Begin anew…' }).click()
    const question = window.getByRole('alertdialog')
    await refuse(question, [['Seed', '4294967296', NUMBER]], 'Begin anew')
    await question.getByRole('button', { name: 'Cancel' }).click()
  })
  // What is changed as it is typed is told to the sandbox a moment later.
  await window.waitForTimeout(500)
  expect(await everything()).toEqual(before)
})
