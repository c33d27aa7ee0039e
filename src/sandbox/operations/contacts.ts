import type { Kind } from '#catalog/kinds.ts'
import { createParty, type PartyClass } from '../data/parties.ts'
import { partyData } from '../domain/projection.ts'
import type { Party, PartyRole } from '../domain/records.ts'
import { refused } from '../domain/refusal.ts'
import type { Change } from '../state/transactions.ts'
import { findParty } from './find.ts'
import { type Args, choice, operation, text, uuid } from './operation.ts'

const CLASSES = [
  'company',
  'person',
  'government',
  'free-zone',
  'foreign',
] as const satisfies readonly PartyClass[]

const FIELDS = {
  name: text('legal name').optional(),
  taxId: text('RNC, cédula or foreign tax number').optional(),
  phone: text('phone').optional(),
  email: text('e-mail').optional(),
  address: text('address').optional(),
}
type Given = Args<typeof FIELDS>

const withGiven = <T extends { [K in keyof Given]-?: string }>(party: T, args: Given): T => ({
  ...party,
  name: args.name ?? party.name,
  taxId: args.taxId ?? party.taxId,
  phone: args.phone ?? party.phone,
  email: args.email ?? party.email,
  address: args.address ?? party.address,
})

function saved(change: Change, kind: Kind, party: Party): string {
  change.store.putParty(party)
  change.emit(kind, party.id, partyData(kind, party))
  return party.id
}

function activeOne(change: Change, role: PartyRole, id: string): Party {
  const party = findParty(change, role, id)
  if (!party.active) throw refused('inactive', `${party.name} is deactivated.`)
  return party
}

function operationsOf(role: PartyRole) {
  const id = uuid(`the ${role}`)
  const partyClass = choice('what it is', CLASSES).optional()
  return [
    operation(`create-${role}`, `Registers a ${role}`, { ...FIELDS, class: partyClass }, (change, args) => {
      const kind = args.class ?? change.random.pick(['company', 'person'] as const)
      const made = withGiven(createParty(change.random, kind), args)
      return saved(change, `${role}.created`, {
        ...made,
        id: change.newId(),
        role,
        class: kind,
        active: true,
      })
    }),
    operation(`edit-${role}`, `Updates a ${role}`, { id, ...FIELDS }, (change, args) => {
      const party = activeOne(change, role, args.id)
      const { phone, address } = createParty(change.random, party.class)
      const said = Object.keys(FIELDS).some((name) => name in args)
      return saved(change, `${role}.updated`, withGiven(said ? party : { ...party, phone, address }, args))
    }),
    operation(`deactivate-${role}`, `Deactivates a ${role}`, { id }, (change, args) =>
      saved(change, `${role}.deactivated`, { ...activeOne(change, role, args.id), active: false }),
    ),
  ]
}

export const CONTACT_OPERATIONS = [...operationsOf('customer'), ...operationsOf('supplier')]
