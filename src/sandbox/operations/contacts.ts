import type { Kind } from '#catalog/kinds.ts'
import { createParty, PARTY_CLASSES, type PartyData } from '../data/parties.ts'
import { createProduct, type ProductData } from '../data/products.ts'
import { partyData, productData } from '../domain/projection.ts'
import type { Party, PartyRole, Product } from '../domain/records.ts'
import type { Change } from '../state/transactions.ts'
import { type Args, choice, decimal, operation, text, uuid, yesOrNo } from './operation.ts'
import { activeParty, activeProduct } from './subjects.ts'

const FIELDS = {
  name: text('legal name').exactOptional(),
  taxId: text('RNC, cédula or foreign tax number').exactOptional(),
  phone: text('phone').exactOptional(),
  email: text('e-mail').exactOptional(),
  address: text('address').exactOptional(),
}
type Given = Args<typeof FIELDS>

function withGiven<T extends PartyData>(party: T, args: Given): T {
  const { name, taxId, phone, email, address } = { ...party, ...args }
  return { ...party, name, taxId, phone, email, address }
}

function saved(change: Change, kind: Kind, party: Party): string {
  change.store.putParty(party)
  change.emit(kind, party.id, partyData(kind, party))
  return party.id
}

function operationsOf(role: PartyRole) {
  const id = uuid(`the ${role}`)
  const partyClass = choice('what it is', PARTY_CLASSES).exactOptional()
  return [
    operation(`create-${role}`, `Registers a ${role}`, { ...FIELDS, class: partyClass }, (change, args) => {
      const kind = args.class ?? change.random.pick(['company', 'person'] as const)
      const made = withGiven(createParty(change.random, kind), args)
      const party = { ...made, id: change.newId(), role, class: kind, active: true }
      return saved(change, `${role}.created`, party)
    }),
    operation(`edit-${role}`, `Updates a ${role}`, { id, ...FIELDS }, (change, args) => {
      const party = activeParty(change, role, args.id)
      const { phone, address } = createParty(change.random, party.class)
      const said = Object.keys(FIELDS).some((name) => name in args)
      return saved(change, `${role}.updated`, withGiven(said ? party : { ...party, phone, address }, args))
    }),
    operation(`deactivate-${role}`, `Deactivates a ${role}`, { id }, (change, args) =>
      saved(change, `${role}.deactivated`, { ...activeParty(change, role, args.id), active: false }),
    ),
  ]
}

export const CONTACT_OPERATIONS = [...operationsOf('customer'), ...operationsOf('supplier')]

const productId = uuid('the product')
const HIGHEST_PRICE = 1_000_000_000
const PRODUCT_FIELDS = {
  code: text('code').exactOptional(),
  description: text('description').exactOptional(),
  price: decimal('price in Dominican pesos, before tax', 0, HIGHEST_PRICE / 100).exactOptional(),
  taxRate: choice('ITBIS in per cent; 0 is exempt', [0, 16, 18]).exactOptional(),
  isService: yesOrNo('a service, not goods').exactOptional(),
}

function productWith<T extends ProductData>(product: T, args: Args<typeof PRODUCT_FIELDS>): T {
  const { code, description, price, taxRate, isService } = { taxRate: product.rate, ...product, ...args }
  return { ...product, code, description, price, rate: taxRate, isService }
}

function savedProduct(change: Change, kind: Kind, product: Product): string {
  change.store.putProduct(product)
  change.emit(kind, product.id, productData(kind, product))
  return product.id
}

export const PRODUCT_OPERATIONS = [
  operation('create-product', 'Adds a product', PRODUCT_FIELDS, (change, args) => {
    const made = productWith(createProduct(change.random), args)
    return savedProduct(change, 'product.created', { ...made, id: change.newId(), active: true })
  }),
  operation(
    'edit-product',
    'Updates a product; by default its price',
    { id: productId, ...PRODUCT_FIELDS },
    (change, args) => {
      const product = activeProduct(change, args.id)
      const said = Object.keys(PRODUCT_FIELDS).some((name) => name in args)
      const { price } = product
      const dearer = Math.min(HIGHEST_PRICE, price + Math.ceil((price * change.random.int(1, 9)) / 100))
      const edited = productWith(said ? product : { ...product, price: dearer }, args)
      return savedProduct(change, 'product.updated', edited)
    },
  ),
  operation('deactivate-product', 'Deactivates a product', { id: productId }, (change, args) =>
    savedProduct(change, 'product.deactivated', { ...activeProduct(change, args.id), active: false }),
  ),
]
