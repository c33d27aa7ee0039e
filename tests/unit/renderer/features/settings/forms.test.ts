import { describe, expect, it, test } from 'vitest'
import type { CommandName } from '#contract/commands.ts'
import type { Connection } from '#contract/connection.ts'
import {
  DEFAULT_CONNECTION,
  DEFAULT_ENDPOINT,
  DEFAULT_SCHEDULE,
  DEFAULT_SETTINGS,
  DEFAULT_TARGET,
} from '#contract/defaults.ts'
import type { Refusal } from '#contract/errors.ts'
import type { Schedule } from '#contract/schedule.ts'
import type { Target } from '#contract/target.ts'
import { WEEKDAYS } from '#contract/values.ts'
import { connectionForm } from '@/features/settings/connection-dialog.tsx'
import * as forms from '@/features/settings/forms.ts'
import schedulesEn from '@/features/settings/texts/en/schedules.json'
import settingsEn from '@/features/settings/texts/en/settings.json'
import schedulesEs from '@/features/settings/texts/es/schedules.json'
import settingsEs from '@/features/settings/texts/es/settings.json'
import { type Form, judge, placeOf, valueAt, withValue, wordsOf } from '@/shared/forms/form.ts'
import { newHeader } from '@/shared/headers/header-table.tsx'

const TARGET: Target = {
  ...DEFAULT_TARGET,
  name: 'staging',
  url: 'https://staging.example.com/in',
  headers: [
    { name: 'Authorization', value: null, secret: true },
    { name: 'X-Env', value: 'test', secret: false },
  ],
  remove: ['Cookie'],
}
const CONNECTION: Connection = {
  ...DEFAULT_CONNECTION,
  name: 'produccion',
  baseUrl: 'https://api.example.com',
  apiKey: 'stored',
  kinds: ['factura.created'],
  proxy: 'http://proxy.example.com:3128',
  mapping: { documentId: '/Header/Id', voided: null },
  documentTypes: [{ id: 77, group: 'nota_credito' }],
}
const { apiKey: _, pluginToken: __, ...SAVED_CONNECTION } = CONNECTION
const SCHEDULE: Schedule = { ...DEFAULT_SCHEDULE, connection: 'main' }
const AT: Schedule = { ...SCHEDULE, time: { at: '06:30', weekdays: ['mon', 'fri'] }, recoverTo: 'handler' }
const { receiver, retention } = DEFAULT_SETTINGS
const { secret: ___, ...ENDPOINT } = { ...DEFAULT_ENDPOINT, name: 'erp', path: '/erp' }

function of<C extends CommandName, D extends object>(form: Form<C, D>) {
  const changed = (fields: object) =>
    Object.entries(fields).reduce((draft, [field, value]) => withValue(draft, field, value), form.first)
  return {
    judge: (fields: object = {}) => judge(form, changed(fields)),
    refused: (refusal: Refusal | null) => placeOf(form, form.first, refusal),
  }
}

/** All forms of the settings, by the section of their texts. */
const target = forms.targetForm(TARGET, ['other'], 'secret')
const FORMS = {
  endpoints: of(forms.endpointForm({ ...ENDPOINT, secret: null }, [{ ...DEFAULT_ENDPOINT, name: 'other' }])),
  targets: of(target),
  connections: of(connectionForm(CONNECTION, ['other'])),
  schedules: of(forms.scheduleForm(SCHEDULE, 'main')),
  faults: of(forms.faultForm(() => 1_000)),
  receiver: of(forms.receiverForm(receiver)),
  tls: of(forms.tlsForm({ certificate: '/a.pem', key: '/b.pem' })),
  retention: of(forms.budgetForm(retention)),
  masking: of(forms.maskingForm({ names: ['X-A', '!key'] })),
  secret: of(forms.secretForm(DEFAULT_ENDPOINT)),
}
const [FACTURA, GASTO] = [{ id: 31, group: 'factura' } as const, { id: 34, group: 'gasto' } as const]
const GENERATED = { certificate: 'generated' } as const
type Of = keyof typeof FORMS
const params = (name: Of, fields: object) => FORMS[name].judge(fields).params

it.each<[Of, unknown, ReturnType<typeof of>?]>([
  ['endpoints', { ...ENDPOINT, previousName: 'erp' }],
  ['targets', { ...TARGET, previousName: 'staging' }],
  ['connections', { ...SAVED_CONNECTION, previousName: 'produccion' }],
  ['schedules', SCHEDULE],
  ['schedules', AT, of(forms.scheduleForm(AT, 'main'))],
  ['receiver', { receiver: {} }],
  ['tls', { receiver: { tls: { certificate: '/a.pem', key: '/b.pem' } } }],
  ['tls', { receiver: { tls: GENERATED } }, of(forms.tlsForm(GENERATED))],
  ['tls', { receiver: { tls: null } }, of(forms.tlsForm(null))],
  ['retention', { retention: { budgetBytes: retention.budgetBytes, overBudget: retention.overBudget } }],
  ['masking', { masking: { names: ['X-A', '!key'] } }],
])('a form that nothing was changed in: of %s gives what there was: %j', (name, saved, form = FORMS[name]) =>
  expect(form.judge()).toEqual({ wrong: new Map(), refusal: null, params: saved }),
)

const NAMES = { settings: [settingsEn, settingsEs], schedules: [schedulesEn.dialog, schedulesEs.dialog] }
/** Invalid fields, each with the error of its own name. */
const bad = (fields: object): [object, Readonly<Record<string, string>>] => [
  fields,
  Object.fromEntries(Object.keys(fields).map((name) => [name, name])),
]
const MANY = Array.from({ length: 101 }, (_, id) => `${id}=gasto`).join()

describe('what the host would refuse', () => {
  it.each<[Of, object, Readonly<Record<string, string>>]>([
    ['endpoints', { name: 'A' }, { name: 'name' }],
    ['endpoints', { name: 'other', path: '/' }, { name: 'nameTaken', path: 'pathTaken' }],
    ['endpoints', { path: 'x y', 'answer.status': 99 }, { path: 'path', 'answer.status': 'answer.status' }],
    ['endpoints', ...bad({ 'answer.delayMs': null, 'answer.body': 'x'.repeat(2 ** 21) })],
    ['targets', { name: 'A', url: 'ftp://x/' }, { name: 'name', url: 'notHttp' }],
    ['targets', { name: 'other', url: '' }, { name: 'nameTaken', url: 'missing' }],
    ['targets', ...bad({ remove: 'a b:', method: 'A B', 'timeouts.connectMs': 0 })],
    ['connections', { name: 'other', baseUrl: 'ftp://x' }, { name: 'nameTaken', baseUrl: 'notHttp' }],
    ['connections', { zone: 'Santo Domingo', kinds: [] }, { zone: 'zone', kinds: 'kinds' }],
    ['connections', { 'apiKey.typed': 'a\nb' }, { 'apiKey.typed': 'secret' }],
    ['connections', { 'pluginToken.typed': ' a' }, { 'pluginToken.typed': 'secret' }],
    ['connections', ...bad({ 'pluginHeader.name': 'a b', 'pluginHeader.scheme': 'two words' })],
    ['connections', ...bad({ 'notYetDue.issuedHours': 9_000, 'notYetDue.returnedMinutes': null })],
    ['connections', ...bad({ 'mapping.number': 'Number', proxyUrl: '', 'timeouts.answerMs': 0 })],
    ['connections', { documentTypes: '31=factura,' }, {}],
    ['connections', { documentTypes: '31' }, { documentTypes: 'typesForm' }],
    ['connections', { documentTypes: 'E31=factura' }, { documentTypes: 'typesForm' }],
    ['connections', { documentTypes: '31=invoice' }, { documentTypes: 'typesGroup' }],
    ['connections', { documentTypes: '31=factura 31=gasto' }, { documentTypes: 'typesTwice' }],
    ['connections', { documentTypes: MANY }, { documentTypes: 'typesMany' }],
    ['connections', { documentTypes: '', documentTypesComplete: true }, { documentTypes: 'typesNone' }],
    ['schedules', { minutes: 0 }, { minutes: 'minutes' }],
    ['schedules', { minutes: 1.5 }, { minutes: 'minutes' }],
    ['schedules', { kind: 'at', minutes: null, at: '25:00' }, { at: 'at' }],
    ['schedules', { kind: 'every', at: 'soon' }, {}],
    ['schedules', ...bad({ overlapMinutes: null, lookBackDays: 0 })],
    ['faults', { status: 99, share: 101 }, { status: 'status', share: 'share' }],
    ['faults', { seed: null, filter: 'kind:' }, { seed: 'seed', filter: 'filter' }],
    ['faults', { next: 0, minutes: 0 }, { next: 'next', minutes: 'minutes' }],
    // NaN must not count as "no bound".
    ['faults', { next: Number.NaN, minutes: Number.NaN }, { next: 'next', minutes: 'minutes' }],
    ['faults', { type: 'delay', status: null, delayMs: 0 }, { delayMs: 'delayMs' }],
    ['receiver', { 'receiver.host': 'a b' }, { 'receiver.host': 'host' }],
    ['receiver', ...bad({ 'receiver.host': '', 'receiver.port': 65_536, 'receiver.bodyLimit': 0 })],
    ['receiver', ...bad({ 'receiver.port': null, 'receiver.maxConnections': 9 })],
    ['receiver', ...bad({ 'receiver.maxConnectionsPerAddress': 0 })],
    ['tls', { certificate: '' }, { certificate: 'certificate' }],
    ['retention', ...bad({ 'retention.budgetBytes': null })],
    ['retention', ...bad({ 'retention.budgetBytes': 0.009 })],
    ['masking', { 'masking.names': 'X-A !' }, { 'masking.names': 'masking.names' }],
    ['secret', { value: '' }, { value: 'missing' }],
    ['secret', { value: 'á€', header: 'a b' }, { value: 'value', header: 'header' }],
  ])('of %s, %.60j, is told at its field in both languages', (name, fields, errors) => {
    const { wrong, params } = FORMS[name].judge(name === 'secret' ? { value: 'ok', ...fields } : fields)
    expect([Object.fromEntries(wrong), params === undefined]).toEqual([errors, wrong.size > 0])
    const words = name === 'schedules' ? NAMES.schedules : NAMES.settings.map((all) => all[name])
    // A filter's own field shows its error.
    for (const error of Object.values(errors).filter((one) => one !== 'filter'))
      for (const one of words)
        expect(wordsOf(valueAt(one, 'errors'), error), error).toEqual(expect.any(String))
  })

  const refused = (form: ReturnType<typeof of>, code: 'conflict' | 'bad-params', path: string, reason = '') =>
    form.refused({ code, message: '', details: { path, reason } })
  it.each([
    [refused(FORMS.connections, 'conflict', 'name'), ['name', 'nameTaken']],
    [refused(FORMS.targets, 'conflict', 'name'), ['name', 'nameTaken']],
    [refused(FORMS.targets, 'bad-params', 'headers.2.value'), ['header-value-2', 'secretValue']],
    [refused(FORMS.targets, 'bad-params', 'url', 'own-receiver'), ['url', 'ownReceiver']],
    [refused(FORMS.targets, 'bad-params', 'url', 'destination-refused'), ['url', 'forbidden']],
    [refused(FORMS.targets, 'bad-params', 'url'), ['url', 'notHttp']],
    [refused(FORMS.endpoints, 'conflict', 'path'), ['path', 'pathTaken']],
    [refused(of(forms.endpointForm(DEFAULT_ENDPOINT, [])), 'conflict', 'path'), ['path', 'defaultPath']],
    [FORMS.targets.refused(null), undefined],
  ])('is shown at the field that the host names: %#', (place, expected) => expect(place).toEqual(expected))
})

describe('a secret', () => {
  const { headers } = target.first
  const header = (part: object) => ({
    headers: headers.map((one, i) => (i === 0 ? { ...one, ...part } : one)),
  })

  test('of a target that is typed replaces the one that was kept; a new one needs a value', () => {
    expect(params('targets', header({ value: 'new' }))).toMatchObject({
      headers: [{ name: 'Authorization', value: 'new', secret: true }, {}],
    })
    const added = [...headers, newHeader({ name: 'X-Key', secret: true })]
    expect(FORMS.targets.judge({ headers: added }).wrong.get('header-value-2')).toBe('secretValue')
  })

  test('that was never told does not go out empty as a plain header', () =>
    expect(FORMS.targets.judge(header({ secret: false })).wrong.get('header-value-0')).toBe('secretValue'))

  test('of a connection that is typed is sent, one forgotten is null, and what is typed wins', () => {
    expect(params('connections', { 'apiKey.typed': 'k1' })).toMatchObject({ apiKey: 'k1' })
    expect(params('connections', { 'apiKey.forget': true })).toMatchObject({ apiKey: null })
    const both = { 'pluginToken.typed': 't', 'pluginToken.forget': true }
    expect(params('connections', both)).toMatchObject({ pluginToken: 't' })
  })
})

describe('what is typed otherwise than it is saved', () => {
  it.each<[Of, object, object]>([
    ['receiver', { 'receiver.host': ' ::1 ' }, { receiver: { host: '::1' } }],
    ['receiver', { 'receiver.bodyLimit': 0.5 }, { receiver: { bodyLimit: 524_288 } }],
    ['retention', { 'retention.budgetBytes': 1.5 }, { retention: { budgetBytes: 1_500_000_000 } }],
    ['masking', { 'masking.names': ' X-A,\n!key\n' }, { masking: { names: ['X-A', '!key'] } }],
    ['connections', { baseUrl: ' https://api.example.com// ' }, { baseUrl: 'https://api.example.com' }],
    ['connections', { 'mapping.documentId': '', 'mapping.voided': '' }, { mapping: null }],
    ['connections', { 'mapping.voided': '-' }, { mapping: { voided: null } }],
    ['connections', { 'mapping.accounting': '.' }, { mapping: { accounting: '' } }],
    ['connections', { documentTypes: ' 31 = factura, 34=gasto' }, { documentTypes: [FACTURA, GASTO] }],
    // All weekdays mean every day, in any order; a time needs no leading zero.
    ['schedules', { kind: 'at', at: '6:30', weekdays: WEEKDAYS.toReversed() }, { time: { at: '06:30' } }],
    ['schedules', { kind: 'at', weekdays: ['fri', 'tue'] }, { time: { weekdays: ['tue', 'fri'] } }],
    ['faults', { type: 'hang', next: 3 }, { effect: { type: 'hang' }, next: 3, endpoint: null }],
    ['faults', { share: 12.5, minutes: 2 }, { probability: 0.125, until: 121_000 }],
    ['faults', { type: 'delay', delayMs: 7 }, { effect: { type: 'delay', ms: 7 } }],
  ])('of %s, %.60j', (name, fields, saved) => expect(params(name, fields)).toMatchObject(saved))

  test('a new connection lacks a name and an address, and nothing else', () => {
    const fresh = connectionForm(null, [])
    expect(Object.fromEntries(judge(fresh, fresh.first).wrong)).toEqual({ name: 'name', baseUrl: 'missing' })
  })
})
