import { expect, type Locator, type Page, test } from '@playwright/test'
import { type RunningHost, startHost } from '../../support/host.ts'

/** B, Proof: every field of every form of the Sandbox screen, with wrong types, huge values and wrong encodings: a sentence, and nothing changed. */

const HUGE = '9'.repeat(400)
const NO_NUMBERS = ['many', '-1', '1e3', HUGE, '0x10', '٣', '1\ud800', '5\u0007'] as const
const NAMES = ['x'.repeat(201), 'a\u0007b', 'a\ud83db', `${'ñ'.repeat(9_999)}`] as const
const URLS = [
  ...(['nowhere', 'ftp://example.com/', 'javascript:alert(1)', 'https://a:b@example.com/'] as const),
  ...(['https://example.com/\ud800', 'https://example.com/\u0000', '//'] as const),
  `https://example.com/${'x'.repeat(9_000)}`,
]
const NUMBER = /^Give a (?:whole )?number/
const NAME = /^This is needed|^Shorten it|^Take out character \d+ \(U\+[0-9A-F]{4}\)/
const URL_ = /^This is needed|whole address|Only http and https|user name and password|^Shorten it|^Take out/
const UNKNOWN = '01234567-89ab-4cde-8f01-23456789abcd'

let host: RunningHost
let page: Page
test.beforeAll(async ({ browser }) => {
  host = await startHost({ args: ['--sandbox'] })
  page = await browser.newPage()
  await page.goto(host.uiUrl)
  await page.getByRole('link', { name: 'Sandbox' }).click()
})
test.afterAll(async () => {
  await page?.close()
  await host?.stop()
})

const admin = async (path: string, method = 'GET', body?: unknown) => {
  const answer = await fetch(`${host.sandbox?.sandbox}/_sandbox${path}`, {
    method,
    headers: { Authorization: `Bearer ${host.sandbox?.admin}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return answer.json()
}
const everything = () =>
  Promise.all(['/state', '/subscriptions', '/keys', '/plugins'].map((path) => admin(path)))
const open = (part: string) =>
  page.getByRole('navigation', { name: 'Parts of the sandbox' }).getByRole('button', { name: part }).click()

/** Chooses an operation, and waits for its form to be there in place of the one before. */
async function choose(operation: string): Promise<void> {
  await page.getByRole('option', { name: operation, exact: true }).click()
  await expect(page.getByRole('region', { name: operation, exact: true })).toBeVisible()
}

/** Label, what is wrong for it, and what must then be said in its place. */
type Fields = readonly (readonly [label: string, wrong: readonly string[], says: RegExp])[]

/**
 * Puts texts into the fields of these labels, presses the button that begins with `save`, and tells what then stands as an error at each
 * field. All in the page: half a surrogate pair would not survive the wire of the browser, and there are a thousand of these.
 */
function attempt(
  form: Locator,
  texts: Readonly<Record<string, string>>,
  save = '',
): Promise<Record<string, string>> {
  return form.evaluate(
    async (root, [json, save]) => {
      const turn = () => new Promise((resolve) => setTimeout(resolve))
      const labels = new Map(
        [...root.querySelectorAll('label')].map((one) => [one.textContent?.trim(), one.control]),
      )
      for (const [name, text] of Object.entries(JSON.parse(json) as Record<string, string>)) {
        const field = labels.get(name)
        if (!(field instanceof HTMLInputElement)) throw new Error(`there is no field “${name}”`)
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
        field.dispatchEvent(new Event('input', { bubbles: true }))
        await turn()
      }
      const buttons = save === '' ? [] : [...root.querySelectorAll('button')]
      buttons.find((one) => one.textContent?.startsWith(save))?.click()
      await turn()
      const wrong = [...root.querySelectorAll<HTMLInputElement>('input[aria-invalid="true"]')]
      return Object.fromEntries(
        wrong.map((field) => [
          field.labels?.[0]?.textContent?.trim() ?? '',
          document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent ?? '',
        ]),
      )
    },
    [JSON.stringify(texts), save] as const,
  )
}

/** Fills all fields at once, as often as the one with the most wrong values needs it, and tries to save each time. */
async function refuse(form: Locator, fields: Fields, save?: string): Promise<void> {
  const rounds = Math.max(...fields.map(([, wrong]) => wrong.length))
  for (let round = 0; round < rounds; round++) {
    const texts = Object.fromEntries(
      fields.map(([label, wrong]) => [label, wrong[round % wrong.length] ?? '']),
    )
    const said = await attempt(form, texts, save)
    const silent = fields.filter(([label, , says]) => !says.test(said[label] ?? ''))
    expect(silent.map(([label]) => [label, texts[label]?.slice(0, 40), said[label]])).toEqual([])
  }
}

/** Nothing on the sandbox may be other than before. */
let before: unknown
test.beforeEach(async () => {
  before = await everything()
})
test.afterEach(async () => {
  // What is changed as it is typed is told to the sandbox a moment later.
  await page.waitForTimeout(200)
})

test('the workspace', async () => {
  await page.getByTitle('Workspace').click()
  const form = page.getByRole('dialog')
  await form.getByRole('radio', { name: 'Another' }).click()
  await refuse(
    form,
    [
      ['Name', ['', ' \t', ...NAMES], NAME],
      ['Name of the plan', ['', ...NAMES], NAME],
      [
        'Offset of Timestamp',
        ['', 'Z', '-0400', '+15:00', '+04:60', '-04:00\ud800', HUGE],
        /^This is needed|^Write it as -04:00/,
      ],
    ],
    'Save',
  )
  await form.getByRole('button', { name: 'Cancel' }).click()
})

test('a subscription and its headers', async () => {
  await open('Subscriptions')
  await page.getByRole('button', { name: 'Add subscription' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Add header' }).click()
  await refuse(
    form,
    [
      ['URL', ['', ...URLS], URL_],
      ['Name', NAMES, NAME],
      [
        'Name of header 1',
        ['', 'X A', 'Ñ', 'Host', 'content-length', 'x'.repeat(201), 'X\ud800'],
        /header name|belongs to the connection|Too long/,
      ],
      [
        'Value of header 1',
        ['a\u0000b', '日本', 'a\ud800', 'x'.repeat(70_000), 'a\u001b[31m'],
        /^A header value|Too long/,
      ],
    ],
    'Save',
  )
  await form.getByRole('button', { name: 'Cancel' }).click()
})

test('the body of an event, its count, and the search for a kind', async () => {
  await open('Emit')
  const editor = page.getByRole('textbox', { name: /^Body of/ })
  await expect(editor).toHaveValue(/"Event"/)
  const made = await editor.inputValue()
  const section = page.getByRole('region', { name: 'Emit' })
  const send = section.getByRole('button', { name: /^Send/ })
  const bodies = [
    ...[
      '',
      ' ',
      '{',
      '{\n "a": 1,,\n}',
      '{"a": nul}',
      '{"a": 01}',
      '{"a": "\\x"}',
      '{} {}',
      '\ufeff{}',
      "{'a': 1}",
    ],
    ...['{"a": "\u0007"}', '{"a": "\ud83d"}', `"${'x'.repeat(524_288)}"`, '['.repeat(2_000)],
  ]
  for (const body of bodies) {
    await editor.evaluate((field, json) => {
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(
        field,
        JSON.parse(json),
      )
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }, JSON.stringify(body))
    await expect(section.getByRole('alert')).toHaveText(
      /^Line \d+, column \d+: .{8,}\.|^Line \d+, column \d+: .+…/,
    )
    await expect(send).toBeDisabled()
    await editor.press('ControlOrMeta+Enter')
  }
  await editor.fill(made)
  await refuse(section, [['Count', ['', '0', '1001', '1.5', ...NO_NUMBERS], NUMBER]], 'Send')
  await attempt(section, { Count: '1' })
  await page.getByRole('textbox', { name: 'Find a kind' }).fill(`${HUGE}\u0007`)
  await expect(page.getByText('No kind is called that.')).toBeVisible()
})

test('every parameter of every operation', async () => {
  await open('Operations')
  const { operations } = (await admin('/operations')) as {
    operations: {
      name: string
      parameters: { name: string; type: string; required: boolean; values?: string[] }[]
    }[]
  }
  const find = page.getByRole('textbox', { name: 'Find an operation' })
  await find.fill('\ud83d nothing')
  await expect(page.getByText('No operation is called that.')).toBeVisible()
  await find.fill('')
  const WRONG: Readonly<Record<string, readonly [readonly string[], RegExp]>> = {
    uuid: [['7', `${UNKNOWN}0`, 'g'.repeat(36), '\ud800', HUGE], /^Give a UUID/],
    integer: [['1.5', ...NO_NUMBERS], NUMBER],
    decimal: [['1.234', '1,234', ...NO_NUMBERS], NUMBER],
    string: [['x'.repeat(1_001), 'a\u0000b', 'a\ud83d'], /^Shorten it|^Take out/],
  }
  const form = page.locator('form')
  for (const { name, parameters } of operations) {
    const fields = parameters.flatMap(({ name: own, type, required, values }) => {
      const wrong = values ? undefined : WRONG[type]
      return wrong ? [[required ? `${own} *` : own, ...wrong] as const] : []
    })
    if (fields.length === 0) continue
    await choose(name)
    const whole = ['create-invoice', 'edit-amount', 'edit-customer', 'create-product'].includes(name)
    // Every value for one operation of each kind; for the others one value of each type.
    await refuse(
      form,
      whole
        ? fields
        : fields.map(([label, wrong, says], i) => [label, [wrong[i % wrong.length] ?? ''], says]),
      'Perform',
    )
    // Left empty, all is drawn by the sandbox, unless something is needed.
    const needed = parameters.some(({ required }) => required)
    const empty = Object.fromEntries(fields.map(([label]) => [label, '']))
    const said = await attempt(form, empty, needed ? 'Perform' : undefined)
    expect(Object.values(said)).toEqual(needed ? ['This is needed.'] : [])
  }
})

test('what an operation refuses for more than its shape stands at its parameter, or in the form', async () => {
  await open('Operations')
  const form = page.locator('form')
  const cases = [
    ['create-invoice', 'lines', '9999', /^Give a whole number from 1 to/],
    ['create-invoice', 'issuedAt', 'yesterday', /^Give a date and time/],
    ['create-product', 'price', '10000001', /^Give a number from 0 to 10000000/],
    ['create-invoice', 'customerId', UNKNOWN, null],
    ['void', 'id *', UNKNOWN, null],
  ] as const
  for (const [operation, label, text, says] of cases) {
    await choose(operation)
    await attempt(form, { [label]: text }, 'Perform')
    if (says) await expect.poll(async () => (await attempt(form, {}))[label] ?? '').toMatch(says)
    else await expect(form.getByRole('alert').filter({ hasText: /^There is no .+\.$/ })).toBeVisible()
    await attempt(form, { [label]: '' })
  }
})

test('count and seed of every scenario, the traffic generator', async () => {
  await open('Scenarios')
  for (const row of await page
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: /^Run / }) })
    .all()) {
    const labels = await row.locator('label').allTextContents()
    await refuse(
      row,
      labels.map(
        (label) =>
          [
            label,
            [...NO_NUMBERS.slice(0, 4), label.startsWith('Seed') ? '4294967296' : '0'],
            NUMBER,
          ] as const,
      ),
      'Run',
    )
  }
  await open('Traffic')
  await refuse(
    page.locator('form'),
    [
      ['Rate', ['', '0', '0.001', '501', ...NO_NUMBERS], NUMBER],
      ['Ends after', ['', '0', '10000001', ...NO_NUMBERS], NUMBER],
      ['or after', ['', '0', '86401', ...NO_NUMBERS], NUMBER],
      ['Seed', ['', '4294967296', ...NO_NUMBERS], NUMBER],
    ],
    'Start',
  )
})

test('shares, times and seed of the laboratory', async () => {
  const share = 0.5
  for (const fault of ['error-429', 'slow']) {
    await admin('/laboratory', 'PUT', { delay: { share }, reorder: { share }, sync: { fault, share } })
    await open('Emit')
    await page.reload()
    await open('Laboratory')
    before = await everything()
    const form = page.getByRole('main')
    const labels = await form.locator('label:has(+ * input[inputmode])').allTextContents()
    const most = (label: string) =>
      /[Ss]hare/.test(label) ? '100.01' : label === 'Seed' ? '4294967296' : '60001'
    expect(labels.length).toBeGreaterThan(9)
    await refuse(
      form,
      labels.map((label) => [label, ['', most(label), ...NO_NUMBERS], NUMBER] as const),
    )
  }
  expect(await everything()).toEqual(before)
  await admin('/laboratory', 'DELETE')
  before = await everything()
})

test('keys, plugins, the search of the log, and beginning anew', async () => {
  await open('Keys and plugins')
  await refuse(
    page.locator('form'),
    [['Name of the key', [...NAMES, 'Acuse'], /is the sandbox’s own|^Shorten it|^Take out/]],
    'Issue a key',
  )
  await page.getByRole('button', { name: 'Install a plugin' }).click()
  const dialog = page.getByRole('dialog')
  await refuse(
    dialog,
    [
      ['Name', ['', ...NAMES, 'Acuse'], /is the sandbox’s own|^This is needed|^Shorten it|^Take out/],
      ['URL for other plugins’ events', URLS, URL_],
    ],
    'Install',
  )
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await open('Log')
  const log = page.getByRole('region', { name: 'Log' })
  await refuse(log, [
    [
      'Find in kind, document, address, request, answer',
      ['x'.repeat(1_001), `\ud800${HUGE}${HUGE}${HUGE}`],
      /^Shorten it/,
    ],
  ])
  for (const odd of ['\u0000', '\ud83d', '%_"\'', '\u001b[31m']) {
    await attempt(log, { 'Find in kind, document, address, request, answer': odd })
    await expect(log.getByText('No entry matches')).toBeVisible()
  }
  await expect(log.getByText('keeps the newest 100,000')).toBeVisible()

  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Begin anew…' }).click()
  const reset = page.getByRole('alertdialog').or(page.getByRole('dialog'))
  await refuse(reset, [['Seed', ['4294967296', ...NO_NUMBERS], NUMBER]], 'Begin anew')
  await reset.getByRole('button', { name: 'Cancel' }).click()
})
