import { expect, list, rows, test } from './app.ts'

/** Captured content is only ever text: whatever field it comes in, none of these may run, load or navigate. */
const PAYLOADS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '"><iframe src="javascript:alert(1)">',
  "';alert(1);//",
  'javascript:alert(1)',
  '<a href="http://198.51.100.1/">x</a>',
  '<link rel=stylesheet href=http://198.51.100.1/x.css>',
  '{{constructor.constructor("alert(1)")()}}',
  '\u202Egpj.exe\u202C \u0000\u001b[31mred\u0007',
] as const

/** More of them, all in one text: each closes what another may have opened. */
const MANY = [
  '</script><script>alert(1)</script>',
  '</title></textarea></style></noscript><img src=x onerror=alert(1)>',
  '<svg><script>alert(1)</script><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<video><source onerror=alert(1)>',
  '<body onload=alert(1)><input autofocus onfocus=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="data:text/html,<script>alert(1)</script>">',
  '<meta http-equiv=refresh content="0;url=http://198.51.100.1/">',
  '<base href="http://198.51.100.1/"><form action="http://198.51.100.1/"><button>x',
  '<style>@import "http://198.51.100.1/x.css";*{background:url(http://198.51.100.1/)}</style>',
  '<img srcset="http://198.51.100.1/ 1x"><link rel=prefetch href=http://198.51.100.1/>',
  '[x](javascript:alert(1)) ![x](http://198.51.100.1/x.png)',
  '<%= 7*7 %> #{7*7} {{7*7}} {% x %}',
  '\u2028\u2029\uFEFF\u200B&lt;script&gt;alert(1)&lt;/script&gt;',
].join(' ')

test('hostile content is shown as text in every field that is shown (Security)', async ({ app, window }) => {
  test.setTimeout(180_000)
  const outside: string[] = []
  const origin = new URL(app.host.uiUrl).origin
  window.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) outside.push(request.url())
  })
  window.on('dialog', (dialog) => {
    outside.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  const payloads = [...PAYLOADS, MANY]
  for (const payload of payloads) {
    const ascii = encodeURI(payload)
    // Header values cannot hold control characters; the rest of each payload can come in one.
    const header = payload.replaceAll(/[^\x20-\x7e]/g, '?')
    const body = JSON.stringify({
      Event: payload,
      Timestamp: payload,
      [payload]: payload,
      data: {
        DocumentId: payload,
        Number: payload,
        Lines: [{ Description: payload, [payload]: payload }],
        Accounting: { Total: payload },
      },
    })
    await app.deliver('POST', `/${ascii}?q=${ascii}`, body, ['X-Hostile', header, 'Content-Type', header])
    const known = JSON.stringify({
      Event: 'factura.created',
      Timestamp: '2026-11-20T10:00:00-04:00',
      data: {
        DocumentId: payload,
        Number: payload,
        CustomerName: payload,
        Lines: [{ Description: payload }],
        Accounting: { Total: payload },
      },
    })
    await app.deliver('PUT', `/${ascii}`, known)
  }
  // As a body without any structure, where no field begins and ends.
  await app.deliver('POST', '/', payloads.join('\n'))
  const deliveries = payloads.length * 2 + 1
  await app.client.call('deliveries.annotate', { ids: [1], note: MANY, addTags: ['<svg/onload=1>'] })
  await expect(list(window)).toHaveAttribute('aria-rowcount', String(deliveries + 1))
  await rows(window).first().click()
  for (let n = 0; n < deliveries; n++) {
    // Which tabs there are is known a moment after the delivery, when its body has been read.
    const tabs = window.getByRole('tab')
    await tabs.first().focus()
    for (let at = 0; at < (await tabs.count()); at++) {
      await window.keyboard.press(']')
      // Two frames: what a tab asks the host for is drawn by then, or will be while the next one stands.
      await window.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      )
    }
    await list(window).focus()
    await window.keyboard.press('j')
  }
  // The other screens that show what was captured: the documents with a life each, and what was observed.
  await window.evaluate(() => {
    location.hash = '#/documents'
  })
  const documents = window.getByRole('grid', { name: 'Documents' })
  await expect(documents.getByText('</script><script>alert(1)</script>').first()).toBeVisible()
  await documents.focus()
  await window.keyboard.press('Home')
  await window.keyboard.press('Enter')
  await expect(window.getByRole('region', { name: /^Life of/ })).toBeVisible()
  for (let n = 0; n < payloads.length; n++) await window.keyboard.press('ArrowDown')
  await window.evaluate(() => {
    location.hash = '#/drift'
  })
  await expect(window.getByText('factura.created').first()).toBeVisible()
  expect(outside).toEqual([])
  expect(new URL(window.url()).origin).toBe(origin)
})
