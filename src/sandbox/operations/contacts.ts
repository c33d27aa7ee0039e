import type { Kind } from '#catalog/kinds.ts'
import { createParty, type PartyClass } from '../data/parties.ts'
import { createProduct } from '../data/products.ts'
import { partyData, productData } from '../domain/projection.ts'
import type { Party, PartyRole, Product } from '../domain/records.ts'
import { refused } from '../domain/refusal.ts'
import type { Change } from '../state/transactions.ts'
import { findParty, findProduct } from './find.ts'
import { type Args, choice, decimal, operation, text, uuid, yesOrNo } from './operation.ts'

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

const productId = uuid('the product')
const HIGHEST_PRICE = 1_000_000_000
const PRODUCT_FIELDS = {
  code: text('code').optional(),
  description: text('description').optional(),
  price: decimal('price in Dominican pesos, before tax', 0, HIGHEST_PRICE / 100).optional(),
  taxRate: choice('ITBIS in per cent; 0 is exempt', [0, 16, 18]).optional(),
  isService: yesOrNo('a service, not goods').optional(),
}

function productWith<T extends Omit<Product, 'id' | 'active'>>(
  product: T,
  args: Args<typeof PRODUCT_FIELDS>,
): T {
  return {
    ...product,
    code: args.code ?? product.code,
    description: args.description ?? product.description,
    price: args.price ?? product.price,
    rate: args.taxRate ?? product.rate,
    isService: args.isService ?? product.isService,
  }
}

function savedProduct(change: Change, kind: Kind, product: Product): string {
  change.store.putProduct(product)
  change.emit(kind, product.id, productData(kind, product))
  return product.id
}

function activeProductOf(change: Change, id: string): Product {
  const product = findProduct(change, id)
  if (!product.active) throw refused('inactive', `Product ${product.code} is deactivated.`)
  return product
}

export const PRODUCT_OPERATIONS = [
  operation('create-product', 'Adds a product', PRODUCT_FIELDS, (change, args) => {
    const made = productWith(createProduct(change.random), args)
    return savedProduct(change, 'product.created', { ...made, id: change.newId(), active: true })
  }),
  operation(
    'edit-product',
    'Updates a product; its price when nothing is said',
    { id: productId, ...PRODUCT_FIELDS },
    (change, args) => {
      const product = activeProductOf(change, args.id)
      const said = Object.keys(PRODUCT_FIELDS).some((name) => name in args)
      const { price } = product
      const dearer = Math.min(HIGHEST_PRICE, price + Math.ceil((price * change.random.int(1, 9)) / 100))
      return savedProduct(
        change,
        'product.updated',
        productWith(said ? product : { ...product, price: dearer }, args),
      )
    },
  ),
  operation('deactivate-product', 'Deactivates a product', { id: productId }, (change, args) =>
    savedProduct(change, 'product.deactivated', { ...activeProductOf(change, args.id), active: false }),
  ),
]
