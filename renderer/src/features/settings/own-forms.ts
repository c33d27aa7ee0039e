import type { Endpoint, ReceiverTls, Settings } from '#contract/settings.ts'
import type { Form, Typed } from '@/shared/forms/form.ts'
import { type ErrorOf, namesIn } from './forms.ts'

const MIB = 1024 * 1024
const GB = 1_000_000_000
const scaled = (value: number | null, unit: number): number | null =>
  value === null ? null : Math.round(value * unit)

type Receiver = Settings['receiver']
const LIMITS = ['host', 'port', 'bodyLimit', 'maxConnections', 'maxConnectionsPerAddress'] as const
type Limits = Typed<Pick<Receiver, (typeof LIMITS)[number]>>

/** Address and limits of the receiver, the body's in MiB. Only what is changed is saved: the rest may be overridden for this run. */
export const receiverForm = (receiver: Receiver): Form<'settings.update', Limits, ErrorOf<'receiver'>> => ({
  command: 'settings.update',
  first: {
    ...{ host: receiver.host, port: receiver.port, bodyLimit: receiver.bodyLimit / MIB },
    maxConnections: receiver.maxConnections,
    maxConnectionsPerAddress: receiver.maxConnectionsPerAddress,
  },
  params: (draft) => {
    const given: Limits = { ...draft, host: draft.host.trim(), bodyLimit: scaled(draft.bodyLimit, MIB) }
    return {
      receiver: Object.fromEntries(
        LIMITS.filter((field) => given[field] !== receiver[field]).map((field) => [field, given[field]]),
      ),
    }
  },
  places: () => Object.fromEntries(LIMITS.map((field) => [`receiver.${field}`, [field, field]])),
  *own({ host }) {
    if (/[\s/]/.test(host.trim())) yield ['host', 'host']
  },
})

interface TlsDraft {
  readonly mode: 'off' | 'generated' | 'files'
  readonly certificate: string
  readonly key: string
}

const tlsOf = ({ mode, certificate, key }: TlsDraft): ReceiverTls | null => {
  if (mode === 'off') return null
  return mode === 'generated' ? { certificate: mode } : { certificate: certificate.trim(), key: key.trim() }
}

/** Whether the receiver speaks HTTPS, and with which certificate. */
export const tlsForm = (tls: ReceiverTls | null): Form<'settings.update', TlsDraft, ErrorOf<'tls'>> => ({
  command: 'settings.update',
  first:
    tls && 'key' in tls
      ? { mode: 'files', ...tls }
      : { mode: tls ? 'generated' : 'off', certificate: '', key: '' },
  params: (draft) => ({ receiver: { tls: tlsOf(draft) } }),
  places: () => ({
    'receiver.tls.certificate': ['certificate', 'certificate'],
    'receiver.tls.key': ['key', 'key'],
    'receiver.tls': ['certificate', 'certificate'],
  }),
})

/** What the store may take, in GB, and what happens beyond that. */
export const budgetForm = ({
  budgetBytes,
  overBudget,
}: Settings['retention']): Form<
  'settings.update',
  Typed<Pick<Settings['retention'], 'budgetBytes' | 'overBudget'>>,
  ErrorOf<'retention'>
> => ({
  command: 'settings.update',
  first: { budgetBytes: budgetBytes / GB, overBudget },
  params: (draft) => ({ retention: { ...draft, budgetBytes: scaled(draft.budgetBytes, GB) } }),
  places: () => ({ 'retention.budgetBytes': ['budgetBytes', 'budgetBytes'] }),
})

/** Names whose values are masked, as typed: one on each line. */
export const maskingForm = ({
  names,
}: Settings['masking']): Form<'settings.update', { readonly names: string }, ErrorOf<'masking'>> => ({
  command: 'settings.update',
  first: { names: names.join('\n') },
  params: (draft) => ({ masking: { names: namesIn(draft.names) } }),
  places: () => ({ 'masking.names': ['names', 'names'], 'masking.names.*': ['names', 'names'] }),
})

/** The header that an endpoint asks for, and its value. */
export const secretForm = ({
  name,
  secret,
}: Endpoint): Form<
  'endpoints.set-secret',
  { readonly header: string; readonly value: string; readonly keepPrevious: boolean },
  ErrorOf<'secret'>
> => ({
  command: 'endpoints.set-secret',
  first: { header: secret?.header ?? 'X-Webhook-Secret', value: '', keepPrevious: secret !== null },
  params: (draft) => ({ name, ...draft }),
  places: ({ value }) => ({
    header: ['header', 'header'],
    value: ['value', value === '' ? 'missing' : 'value'],
  }),
})
