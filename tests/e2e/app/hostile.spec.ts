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

test('hostile content is shown as text in every field that is shown (Security)', async ({ app, window }) => {
  test.setTimeout(90_000)
  const outside: string[] = []
  const origin = new URL(app.host.uiUrl).origin
  window.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) outside.push(request.url())
  })
  window.on('dialog', (dialog) => {
    outside.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  for (const payload of PAYLOADS) {
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
    await app.deliver('POST', '/', payload)
  }
  await expect(list(window)).toHaveAttribute('aria-rowcount', String(PAYLOADS.length * 3 + 1))
  await rows(window).first().click()
  for (let n = 0; n < PAYLOADS.length * 3; n++) {
    // Which tabs there are is known a moment after the delivery, when its body has been read.
    const tabs = window.getByRole('tab')
    for (let at = 0; at < (await tabs.count()); at++) await tabs.nth(at).click()
    await list(window).focus()
    await window.keyboard.press('j')
  }
  expect(outside).toEqual([])
  expect(new URL(window.url()).origin).toBe(origin)
})
