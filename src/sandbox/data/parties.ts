import names from './names.json' with { type: 'json' }
import type { Random } from './random.ts'

const RNC_WEIGHTS = [7, 9, 8, 6, 5, 4, 3, 2]

/** Weighted sum modulo 11 over the first eight digits, 0 and 1 replaced as the tax authority does. */
function rncCheck(digits: string): number {
  const sum = RNC_WEIGHTS.reduce((total, weight, at) => total + weight * Number(digits[at]), 0)
  const rest = sum % 11
  return rest === 0 ? 2 : rest === 1 ? 1 : 11 - rest
}

/** Luhn check digit over the first ten digits. */
function cedulaCheck(digits: string): number {
  let sum = 0
  for (let at = 0; at < 10; at++) {
    const doubled = Number(digits[at]) * (at % 2 === 0 ? 1 : 2)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return (10 - (sum % 10)) % 10
}

const digitsOf = (random: Random, count: number): string =>
  String(random.int(0, 10 ** count - 1)).padStart(count, '0')

/** @param first leading digit: 1 for a company, 4 for the state or an association */
export function createRnc(random: Random, first: '1' | '4'): string {
  const digits = `${first}${first === '1' ? '3' : '0'}${digitsOf(random, 6)}`
  return `${digits}${rncCheck(digits)}`
}

const MUNICIPALITIES = ['001', '002', '003', '012', '023', '028', '031', '037', '047', '054', '056', '402']

export function createCedula(random: Random): string {
  const digits = `${random.pick(MUNICIPALITIES)}${digitsOf(random, 7)}`
  return `${digits}${cedulaCheck(digits)}`
}

export const isRnc = (text: string): boolean => /^\d{9}$/.test(text) && Number(text[8]) === rncCheck(text)

export const isCedula = (text: string): boolean =>
  /^\d{11}$/.test(text) && Number(text[10]) === cedulaCheck(text)

/** Tax classes of customers and suppliers; the class decides which receipts are possible. */
export const PARTY_CLASSES = ['company', 'person', 'government', 'free-zone', 'foreign'] as const
export type PartyClass = (typeof PARTY_CLASSES)[number]

export interface PartyData {
  readonly name: string
  readonly taxId: string
  readonly phone: string
  readonly email: string
  readonly address: string
}

const phone = (random: Random): string =>
  `${random.pick(['809', '829', '849'])}-${random.int(220, 999)}-${digitsOf(random, 4)}`

const address = (random: Random): string =>
  `${random.pick(names.streets)} #${random.int(1, 320)}, ${random.pick(names.towns)}`

const ascii = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-|-$/g, '')

const personName = (random: Random): string =>
  `${random.pick(names.givenNames)} ${random.pick(names.surnames)} ${random.pick(names.surnames)}`

const companyName = (random: Random): string =>
  random.chance(35)
    ? `${random.pick(names.trades)} ${random.pick(names.surnames)} & ${random.pick(['Asociados', 'Hermanos', 'Hijos'])}, ${random.pick(names.companyForms)}`
    : `${random.pick(names.trades)} ${random.pick(names.companyNames)}, ${random.pick(names.companyForms)}`

/** Uses example domains only (RFC 2606), so that no address is a real mailbox. */
const officeMail = (random: Random, name: string): string =>
  `${random.pick(['facturas', 'compras', 'contabilidad', 'info'])}@${ascii(name).slice(0, 40).replace(/-$/, '')}.example`

export function createParty(random: Random, kind: PartyClass): PartyData {
  if (kind === 'foreign') {
    const name = random.pick(names.foreignCompanies)
    const call = `+1-${random.int(201, 989)}-${random.int(200, 999)}-${digitsOf(random, 4)}`
    return {
      name,
      taxId: `${digitsOf(random, 2)}-${digitsOf(random, 7)}`,
      phone: call,
      email: officeMail(random, name),
      address: random.pick(names.foreignAddresses),
    }
  }
  const person = kind === 'person'
  const name = person ? personName(random) : nameOf(random, kind)
  return {
    name,
    taxId: person ? createCedula(random) : createRnc(random, kind === 'government' ? '4' : '1'),
    phone: phone(random),
    email: person ? `${ascii(name).replaceAll('-', '.')}@example.com` : officeMail(random, name),
    address: address(random),
  }
}

function nameOf(random: Random, kind: 'company' | 'government' | 'free-zone'): string {
  if (kind === 'government') return `${random.pick(names.governmentBodies)} ${random.pick(names.towns)}`
  if (kind === 'free-zone')
    return `${random.pick(names.freeZoneNames)} ${random.pick(names.companyNames)} Zona Franca, SAS`
  return companyName(random)
}
