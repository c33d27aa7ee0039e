import type { Kind } from '#catalog/kinds.ts'
import { createProduct, type TaxRate } from '../../data/products.ts'
import { productData } from '../../domain/projection.ts'
import type { Product } from '../../domain/records.ts'
import { refused } from '../../domain/rules.ts'
import { SandboxError } from '../../world.ts'
import type { Change } from '../change.ts'
import { findProduct } from '../find.ts'
import { operation } from '../parameters.ts'

const ID = { name: 'id', type: 'uuid', required: true, summary: 'the product' } as const
const RATES: readonly TaxRate[] = [0, 16, 18]
const FIELDS = [
  { name: 'code', type: 'string', required: false, summary: 'code' },
  { name: 'description', type: 'string', required: false, summary: 'description' },
  {
    name: 'price',
    type: 'decimal',
    required: false,
    summary: 'price in Dominican pesos, before tax, at most 10000000',
  },
  {
    name: 'taxRate',
    type: 'integer',
    required: false,
    summary: 'ITBIS in per cent; 0 is exempt',
    values: RATES.map(String),
  },
  { name: 'isService', type: 'boolean', required: false, summary: 'a service, not goods' },
] as const

const HIGHEST_PRICE = 1_000_000_000

interface Given {
  readonly code: string | undefined
  readonly description: string | undefined
  readonly price: number | undefined
  readonly taxRate: number | undefined
  readonly isService: boolean | undefined
}

function withGiven<T extends Omit<Product, 'id' | 'active'>>(product: T, args: Given): T {
  if ((args.price ?? 0) > HIGHEST_PRICE)
    throw new SandboxError(400, 'bad-parameter', 'price is at most 10000000.')
  return {
    ...product,
    code: args.code ?? product.code,
    description: args.description ?? product.description,
    price: args.price ?? product.price,
    rate: RATES.find((rate) => rate === args.taxRate) ?? product.rate,
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
    [ID, ...FIELDS],
    (change, args) => {
      const product = activeOne(change, args.id)
      const said = FIELDS.some(({ name }) => args[name] !== undefined)
      const { price } = product
      const dearer = Math.min(HIGHEST_PRICE, price + Math.ceil((price * change.random.int(1, 9)) / 100))
      return saved(change, 'product.updated', withGiven(said ? product : { ...product, price: dearer }, args))
    },
  ),
  operation('deactivate-product', 'Deactivates a product', [ID], (change, args) =>
    saved(change, 'product.deactivated', { ...activeOne(change, args.id), active: false }),
  ),
]
