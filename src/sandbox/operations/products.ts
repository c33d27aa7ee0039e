import type { Kind } from '#catalog/kinds.ts'
import { createProduct } from '../data/products.ts'
import { productData } from '../domain/projection.ts'
import type { Product } from '../domain/records.ts'
import { refused } from '../domain/refusal.ts'
import type { Change } from '../state/transactions.ts'
import { findProduct } from './find.ts'
import { type Args, choice, decimal, operation, text, uuid, yesOrNo } from './operation.ts'

const id = uuid('the product')
const HIGHEST_PRICE = 1_000_000_000
const FIELDS = {
  code: text('code').optional(),
  description: text('description').optional(),
  price: decimal('price in Dominican pesos, before tax', 0, HIGHEST_PRICE / 100).optional(),
  taxRate: choice('ITBIS in per cent; 0 is exempt', [0, 16, 18]).optional(),
  isService: yesOrNo('a service, not goods').optional(),
}

function withGiven<T extends Omit<Product, 'id' | 'active'>>(product: T, args: Args<typeof FIELDS>): T {
  return {
    ...product,
    code: args.code ?? product.code,
    description: args.description ?? product.description,
    price: args.price ?? product.price,
    rate: args.taxRate ?? product.rate,
    isService: args.isService ?? product.isService,
  }
}

function saved(change: Change, kind: Kind, product: Product): string {
  change.store.putProduct(product)
  change.emit(kind, product.id, productData(kind, product))
  return product.id
}

function activeOne(change: Change, id: string): Product {
  const product = findProduct(change, id)
  if (!product.active) throw refused('inactive', `Product ${product.code} is deactivated.`)
  return product
}

export const PRODUCT_OPERATIONS = [
  operation('create-product', 'Adds a product', FIELDS, (change, args) => {
    const made = withGiven(createProduct(change.random), args)
    return saved(change, 'product.created', { ...made, id: change.newId(), active: true })
  }),
  operation(
    'edit-product',
    'Updates a product; its price when nothing is said',
    { id, ...FIELDS },
    (change, args) => {
      const product = activeOne(change, args.id)
      const said = Object.keys(FIELDS).some((name) => name in args)
      const { price } = product
      const dearer = Math.min(HIGHEST_PRICE, price + Math.ceil((price * change.random.int(1, 9)) / 100))
      return saved(change, 'product.updated', withGiven(said ? product : { ...product, price: dearer }, args))
    },
  ),
  operation('deactivate-product', 'Deactivates a product', { id }, (change, args) =>
    saved(change, 'product.deactivated', { ...activeOne(change, args.id), active: false }),
  ),
]
