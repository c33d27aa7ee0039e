import type { SandboxLaboratory, SandboxOperation, SandboxScenario } from '#contract/sandbox.ts'

/** The sandbox's own words, for the fake of it. */
export const SCENARIOS: readonly SandboxScenario[] = [
  {
    slug: 'accepted',
    title: 'Invoice accepted',
    summary: 'An invoice is submitted, evaluated and accepted',
    takesCount: false,
  },
  {
    slug: 'rejected-corrected',
    title: 'Rejected and corrected',
    summary: 'An invoice is rejected, edited, submitted again and accepted',
    takesCount: false,
  },
  {
    slug: 'conditional',
    title: 'Accepted with observations',
    summary: 'An invoice is accepted conditionally',
    takesCount: false,
  },
  {
    slug: 'credit-note',
    title: 'Credit note',
    summary: 'edit-amount on an accepted invoice issues a credit note',
    takesCount: false,
  },
  {
    slug: 'void-before',
    title: 'Voided before acceptance',
    summary: 'An invoice is voided before it was submitted',
    takesCount: false,
  },
  {
    slug: 'void-after',
    title: 'Voided after acceptance',
    summary: 'An accepted invoice is voided by a credit note',
    takesCount: false,
  },
  {
    slug: 'month',
    title: 'Month of business',
    summary: 'Documents over the last four weeks, with all that happens to them',
    takesCount: true,
  },
  {
    slug: 'outage-day',
    title: 'Day with an outage',
    summary: 'A day of business; the receiver is away in the middle of it',
    takesCount: true,
  },
  {
    slug: 'burst',
    title: 'Burst',
    summary: 'Invoices as fast as they can be made',
    takesCount: true,
  },
]

/** Some of the operations: one of each sort of parameter and more. */
export const OPERATIONS: readonly SandboxOperation[] = [
  {
    name: 'create-invoice',
    summary: 'Creates an invoice',
    parameters: [
      {
        name: 'type',
        type: 'string',
        required: false,
        summary: 'type of receipt; drawn when absent',
        values: ['E31', 'E32', 'E44', 'E45', 'E46'],
      },
      {
        name: 'customerId',
        type: 'uuid',
        required: false,
        summary: 'the customer; any fitting one when absent',
      },
      {
        name: 'lines',
        type: 'integer',
        required: false,
        summary: 'number of lines, 1 to 50; drawn when absent',
      },
      {
        name: 'productId',
        type: 'uuid',
        required: false,
        summary: 'product of the first line',
      },
      {
        name: 'description',
        type: 'string',
        required: false,
        summary: 'description of the first line',
      },
      {
        name: 'quantity',
        type: 'decimal',
        required: false,
        summary: 'quantity of the first line',
      },
      {
        name: 'unitPrice',
        type: 'decimal',
        required: false,
        summary: 'unit price of the first line, before tax',
      },
      {
        name: 'currency',
        type: 'string',
        required: false,
        summary: 'currency',
        values: ['DOP', 'USD', 'EUR'],
      },
      {
        name: 'paymentTermId',
        type: 'integer',
        required: false,
        summary: 'payment term; 1 is cash, paid when issued; credit when absent',
        values: ['1', '2', '3', '4', '5'],
      },
      {
        name: 'issuedAt',
        type: 'string',
        required: false,
        summary: 'issue date, a date-time with offset; now when absent',
      },
    ],
  },
  {
    name: 'register-payment',
    summary: 'Registers a payment: it changes the amount due, and no event tells of it',
    parameters: [
      {
        name: 'id',
        type: 'uuid',
        required: true,
        summary: 'the document',
      },
      {
        name: 'amount',
        type: 'decimal',
        required: false,
        summary: 'amount; all that is due when absent',
      },
      {
        name: 'method',
        type: 'integer',
        required: false,
        summary: '1 cash, 2 transfer, 3 card',
        values: ['1', '2', '3'],
      },
    ],
  },
  {
    name: 'edit-amount',
    summary:
      'Corrects the amount of an invoice by a credit note, of an expense by a debit note; gives the note',
    parameters: [
      {
        name: 'id',
        type: 'uuid',
        required: true,
        summary: 'the document',
      },
      {
        name: 'amount',
        type: 'decimal',
        required: false,
        summary: 'sum of the correction, tax included; drawn when absent',
      },
      {
        name: 'issuedAt',
        type: 'string',
        required: false,
        summary: 'issue date, a date-time with offset; now when absent',
      },
    ],
  },
  {
    name: 'submit',
    summary: 'Submits an invoice to the tax authority; no event tells of it',
    parameters: [
      {
        name: 'id',
        type: 'uuid',
        required: true,
        summary: 'the document',
      },
    ],
  },
  {
    name: 'approve',
    summary: 'The authority accepts in full',
    parameters: [
      {
        name: 'id',
        type: 'uuid',
        required: true,
        summary: 'the document',
      },
    ],
  },
  {
    name: 'create-customer',
    summary: 'Registers a customer',
    parameters: [
      {
        name: 'name',
        type: 'string',
        required: false,
        summary: 'legal name',
      },
      {
        name: 'taxId',
        type: 'string',
        required: false,
        summary: 'RNC, cédula or foreign tax number',
      },
      {
        name: 'phone',
        type: 'string',
        required: false,
        summary: 'phone',
      },
      {
        name: 'email',
        type: 'string',
        required: false,
        summary: 'e-mail',
      },
      {
        name: 'address',
        type: 'string',
        required: false,
        summary: 'address',
      },
      {
        name: 'class',
        type: 'string',
        required: false,
        summary: 'what it is',
        values: ['company', 'person', 'government', 'free-zone', 'foreign'],
      },
    ],
  },
  {
    name: 'create-product',
    summary: 'Adds a product',
    parameters: [
      {
        name: 'code',
        type: 'string',
        required: false,
        summary: 'code',
      },
      {
        name: 'description',
        type: 'string',
        required: false,
        summary: 'description',
      },
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
        values: ['0', '16', '18'],
      },
      {
        name: 'isService',
        type: 'boolean',
        required: false,
        summary: 'a service, not goods',
      },
    ],
  },
]

export const NO_LABORATORY: SandboxLaboratory = {
  seed: 1,
  lose: {
    share: 0,
    kinds: null,
  },
  delay: {
    share: 0,
    kinds: null,
    leastMs: 1000,
    mostMs: 5000,
  },
  duplicate: {
    share: 0,
    kinds: null,
  },
  reorder: {
    share: 0,
    kinds: null,
    holdMs: 1000,
  },
  cut: {
    share: 0,
    kinds: null,
  },
  sync: {
    fault: 'none',
    share: 1,
    retryAfterSeconds: 5,
    slowMs: 3000,
    casing: 'documented',
    nesting: 'documented',
    order: 'documented',
    reduce: 'none',
  },
}
