import { createInstance, type ResourceLanguage } from 'i18next'
import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { I18nextProvider, initReactI18next } from 'react-i18next'
import { afterEach, expect, test, vi } from 'vitest'
import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import { type ConnectionDraft, connectionForm } from '@/features/settings/connection-form.ts'
import settings from '@/features/settings/texts/en/settings.json'
import { withValue } from '@/shared/forms/form.ts'
import { useForm } from '@/shared/forms/use-form.tsx'
import { api } from '@/shared/live/api.ts'
import components from '@/shared/texts/en/components.json'

const i18n = createInstance().use(initReactI18next)
const en: ResourceLanguage = { settings, components }
await i18n.init({ lng: 'en', resources: { en }, interpolation: { escapeValue: false } })
afterEach(() => void vi.restoreAllMocks())

const usual = connectionForm(null, ['taken'])
const saved = vi.fn()
const useConnection = (first: ConnectionDraft, atOnce: boolean) =>
  useForm({
    form: () => ({ ...usual, first }),
    texts: ['settings', 'connections'],
    look: () => ({ zone: { warning: 'Mind the zone.' }, 'apiKey.typed': { type: 'password' } }),
    onSaved: saved,
    atOnce,
  })
type Drawn = ReturnType<typeof useConnection>
interface ViewProps {
  readonly first: ConnectionDraft
  readonly atOnce: boolean
  readonly draw: (form: Drawn) => ReactNode
}
function View({ first, atOnce, draw }: ViewProps) {
  return draw(useConnection(first, atOnce))
}

/** The form of a connection with other values in some fields, and what it draws. */
function drawn(draw: ViewProps['draw'], values: object = {}, atOnce = true) {
  const valid = { ...usual.first, name: 'erp', baseUrl: 'http://127.0.0.1:1' }
  const first = Object.entries(values).reduce((draft, [name, value]) => withValue(draft, name, value), valid)
  const view = createElement(View, { first, atOnce, draw })
  return renderToStaticMarkup(createElement(I18nextProvider, { i18n }, view))
}
async function save(values: object = {}): Promise<boolean | undefined> {
  let form: Drawn | undefined
  drawn((one) => {
    form = one
    return null
  }, values)
  return form?.save()
}

test.each([
  ['name', {}, ['>Name</label>', 'value="erp"', 'a to z, 0 to 9 and hyphens.']],
  ['apiKey.typed', {}, ['type="password"', '>API key</label>']],
  ['zone', {}, ['whole days in this zone']],
  ['timeouts.connectMs', {}, ['inputMode="numeric"', '<span class="flex-none text-fg-3 text-s">ms</span>']],
  ['notYetDue.issuedHours', {}, ['>h</span>']],
  ['mapping.number', {}, ['placeholder="automatic"', '>Number</label>']],
  ['proxy', {}, ['role="radio"', '>Custom<', '>None<']],
  ['acceptAnyCertificate', {}, ['role="switch"', 'its own certificate']],
  [
    'name',
    { name: 'taken' },
    ['aria-invalid="true"', 'Another connection has this name; choose a different one.'],
  ],
  ['baseUrl', { baseUrl: 'ftp://x' }, ['starts with http:// or https://']],
  ['timeouts.totalMs', { 'timeouts.totalMs': 0 }, ['role="alert"', 'Enter 1 to 3600000 milliseconds.']],
  ['timeouts.totalMs', { 'timeouts.totalMs': null }, ['role="alert"']],
] as const)('%s with %j is drawn by its value and the words of its name', (field, values, parts) => {
  const markup = drawn(({ draw }) => draw(field), values)
  for (const part of parts) expect(markup).toContain(part)
  expect(markup.includes('role="alert"')).toBe(Object.keys(values).length > 0)
})

test('what is wrong shows from the first attempt to save on, unless all of it is to show at once', () => {
  const wrong = { name: 'No!' }
  expect(drawn(({ draw }) => draw('name'), wrong, false)).not.toContain('role="alert"')
  expect(drawn(({ draw }) => draw('name'), wrong)).toContain('role="alert"')
})

test('fields of a list stand side by side, and a warning below its row', () => {
  const markup = drawn(({ fields }) => fields(['name', 'zone'], 'baseUrl'))
  const words = ['>Name</label>', '>Time zone</label>', 'Mind the zone.', '>Address of the service</label>']
  const places = words.map((part) => markup.indexOf(part))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places).not.toContain(-1)
})

test('only what its command takes is sent, once, and its result is given on', async () => {
  const call = vi.spyOn(api, 'call').mockResolvedValue(DEFAULT_SETTINGS)
  expect(await save({ name: 'No!' })).toBe(false)
  expect(call).not.toHaveBeenCalled()
  expect(await save()).toBe(true)
  expect(call).toHaveBeenCalledExactlyOnceWith('connections.save', expect.objectContaining({ name: 'erp' }))
  expect(saved).toHaveBeenCalledExactlyOnceWith(DEFAULT_SETTINGS)
  call.mockRejectedValue(new Error('lost'))
  expect(await save()).toBe(false)
  expect(saved).toHaveBeenCalledOnce()
})
