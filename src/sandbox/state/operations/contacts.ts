import type { Kind } from '#catalog/kinds.ts'
import { createParty, type PartyClass } from '../../data/parties.ts'
import { partyData } from '../../domain/projection.ts'
import type { Party, PartyRole } from '../../domain/records.ts'
import { refused } from '../../domain/rules.ts'
import type { Change } from '../change.ts'
import { findParty } from '../find.ts'
import { operation } from '../parameters.ts'

const CLASSES: readonly PartyClass[] = ['company', 'person', 'government', 'free-zone', 'foreign']

const FIELDS = [
  { name: 'name', type: 'string', required: false, summary: 'legal name' },
  { name: 'taxId', type: 'string', required: false, summary: 'RNC, cédula or foreign tax number' },
  { name: 'phone', type: 'string', required: false, summary: 'phone' },
  { name: 'email', type: 'string', required: false, summary: 'e-mail' },
  { name: 'address', type: 'string', required: false, summary: 'address' },
] as const

interface Given {
  readonly name: string | undefined
  readonly taxId: string | undefined
  readonly phone: string | undefined
  readonly email: string | undefined
  readonly address: string | undefined
}

const withGiven = <T extends { [K in keyof Given]: string }>(party: T, args: Given): T => ({
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
  const id = { name: 'id', type: 'uuid', required: true, summary: `the ${role}` } as const
  const kind = {
    name: 'class',
    type: 'string',
    required: false,
    summary: 'what it is',
    values: CLASSES,
  } as const
  return [
    operation(`create-${role}`, `Registers a ${role}`, [...FIELDS, kind], (change, args) => {
      const kind =
        CLASSES.find((one) => one === args.class) ?? change.random.pick(['company', 'person'] as const)
      const made = withGiven(createParty(change.random, kind), args)
      return saved(change, `${role}.created`, {
        ...made,
        id: change.newId(),
        role,
        class: kind,
        active: true,
      })
    }),
    operation(`edit-${role}`, `Updates a ${role}`, [id, ...FIELDS], (change, args) => {
      const party = activeOne(change, role, args.id)
      const { phone, address } = createParty(change.random, party.class)
      const said = FIELDS.some(({ name }) => args[name] !== undefined)
      return saved(change, `${role}.updated`, withGiven(said ? party : { ...party, phone, address }, args))
    }),
    operation(`deactivate-${role}`, `Deactivates a ${role}`, [id], (change, args) =>
      saved(change, `${role}.deactivated`, { ...activeOne(change, role, args.id), active: false }),
    ),
  ]
}

export const CONTACT_OPERATIONS = [...operationsOf('customer'), ...operationsOf('supplier')]
