import type { Random } from './random.ts'

/** Words that the sandbox's people, companies and places are made of. */
export const GIVEN_NAMES = [
  ...['Altagracia', 'Ana Mercedes', 'Ángel', 'Anyelina', 'Bienvenido', 'Carmen Rosa', 'Confesor', 'Daurys'],
  ...['Dulce María', 'Emely', 'Esperanza', 'Félix', 'Francisca', 'Frailyn', 'Germania', 'Héctor', 'Yanelis'],
  ...['Ivelisse', 'José Miguel', 'Juana', 'Katherine', 'Leonardo', 'Luis Alberto', 'Manuel', 'Mercedes'],
  ...['Milagros', 'Nelson', 'Niurka', 'Oscar', 'Pedro Julio', 'Rafael', 'Ramona', 'Rosanna', 'Santiago'],
  ...['Starlin', 'Wilkin', 'Yesenia', 'Yokasta', 'Yunior', 'Zoila'],
]

export const SURNAMES = [
  ...['Abreu', 'Acosta', 'Almonte', 'Álvarez', 'Báez', 'Batista', 'Brito', 'Cabrera', 'Camacho', 'Castillo'],
  ...['Contreras', 'Cruz', 'De la Cruz', 'De los Santos', 'Del Rosario', 'Encarnación', 'Espinal', 'Familia'],
  ...['Feliz', 'Fernández', 'Figuereo', 'García', 'Guzmán', 'Henríquez', 'Jiménez', 'Liriano', 'Marte'],
  ...['Matos', 'Mejía', 'Montero', 'Núñez', 'Ogando', 'Paulino', 'Peña', 'Peralta', 'Polanco', 'Reynoso'],
  ...['Rosario', 'Sánchez', 'Santana', 'Suero', 'Taveras', 'Tejada', 'Ureña', 'Valdez', 'Vásquez'],
]

export const TRADES = [
  ...[
    'Ferretería',
    'Farmacia',
    'Distribuidora',
    'Agroindustrial',
    'Constructora',
    'Importadora',
    'Panadería',
  ],
  ...['Laboratorio Clínico', 'Transporte', 'Inversiones', 'Comercial', 'Textiles', 'Imprenta', 'Repuestos'],
  ...['Consultores', 'Supermercado', 'Colmado', 'Servicios Eléctricos', 'Seguridad', 'Informática'],
]

export const COMPANY_NAMES = [
  ...[
    'del Cibao',
    'La Altagracia',
    'El Progreso',
    'Quisqueya',
    'Duarte',
    'Ozama',
    'Caribe',
    'Bonao',
    'Yaque',
  ],
  ...['San Juan', 'La Nueva Unión', 'Los Prados', 'Enriquillo', 'Samaná', 'Jarabacoa', 'Monte Plata'],
  ...['El Buen Precio', 'Tres Hermanos', 'Boca Chica', 'Baní', 'Ocoa', 'Valle Nuevo', 'Puerto Plata'],
]

export const COMPANY_FORMS = ['SRL', 'SRL', 'SRL', 'SAS', 'SA', 'EIRL']

export const GOVERNMENT_BODIES = [
  ...['Ayuntamiento Municipal de', 'Junta Distrital de', 'Hospital Provincial de', 'Liceo Público de'],
  ...['Acueducto Municipal de', 'Dirección Provincial de Salud de'],
]

export const FREE_ZONE_NAMES = [
  ...['Manufacturas', 'Ensamblados', 'Tabacalera', 'Dispositivos Médicos', 'Calzados', 'Confecciones'],
]

export const FOREIGN_COMPANIES = [
  ...[
    'Northwind Trading LLC',
    'Blue Harbor Foods Inc.',
    'Costa Brava Importaciones SL',
    'Lakeside Software Ltd',
  ],
  ...[
    'Gulfstream Packaging Corp.',
    'Rheinland Maschinen GmbH',
    'Andes Café Company',
    'Bayfront Logistics LLC',
  ],
  ...[
    'Meridian Cloud Services Inc.',
    'Atlantic Produce BV',
    'Summit Design Studio LLC',
    'Palmetto Freight Inc.',
  ],
]

export const FOREIGN_ADDRESSES = [
  ...['1200 Harbor Blvd, Miami, FL', '48 Market Street, Newark, NJ', 'Calle Mayor 14, Valencia'],
  ...['Industriestraße 9, Köln', '77 Front Street, Toronto, ON', 'Keizersgracht 201, Amsterdam'],
]

export const STREETS = [
  ...['Av. 27 de Febrero', 'Av. Winston Churchill', 'Calle El Conde', 'Av. Máximo Gómez', 'Calle Duarte'],
  ...[
    'Av. Estrella Sadhalá',
    'Calle del Sol',
    'Av. Independencia',
    'Calle Padre Billini',
    'Av. Las Carreras',
  ],
  ...['Calle Sánchez', 'Av. San Vicente de Paúl', 'Carretera Mella', 'Calle Mella', 'Av. Libertad'],
]

export const TOWNS = [
  ...['Santo Domingo', 'Santo Domingo Este', 'Santiago de los Caballeros', 'La Vega', 'San Cristóbal'],
  ...['San Pedro de Macorís', 'La Romana', 'Higüey', 'Moca', 'Bonao', 'Puerto Plata', 'Barahona', 'Azua'],
  ...['San Francisco de Macorís', 'Baní', 'Nagua', 'Mao'],
]

const RNC_WEIGHTS = [7, 9, 8, 6, 5, 4, 3, 2]

/** Check digit of an RNC: weighted sum modulo 11 over the first eight digits, 0 and 1 replaced as the tax authority does. */
function rncCheck(digits: string): number {
  const sum = RNC_WEIGHTS.reduce((total, weight, at) => total + weight * Number(digits[at]), 0)
  const rest = sum % 11
  return rest === 0 ? 2 : rest === 1 ? 1 : 11 - rest
}

/** Check digit of a cédula: Luhn over the first ten digits. */
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

/** Nine digits with a right check digit: 1 for companies, 4 for the state and associations in front. */
export function createRnc(random: Random, first: '1' | '4'): string {
  const digits = `${first}${first === '1' ? '3' : '0'}${digitsOf(random, 6)}`
  return `${digits}${rncCheck(digits)}`
}

/** Municipalities that cédulas begin with: National District, Santiago, La Vega and others. */
const MUNICIPALITIES = ['001', '002', '003', '012', '023', '028', '031', '037', '047', '054', '056', '402']

/** Eleven digits with a right check digit. */
export function createCedula(random: Random): string {
  const digits = `${random.pick(MUNICIPALITIES)}${digitsOf(random, 7)}`
  return `${digits}${cedulaCheck(digits)}`
}

export const isRnc = (text: string): boolean => /^\d{9}$/.test(text) && Number(text[8]) === rncCheck(text)

export const isCedula = (text: string): boolean =>
  /^\d{11}$/.test(text) && Number(text[10]) === cedulaCheck(text)

/** What a customer or supplier is in the tax regime's eyes: it decides which receipts fit. */
export type PartyClass = 'company' | 'person' | 'government' | 'free-zone' | 'foreign'

export interface PartyData {
  readonly name: string
  /** RNC, cédula, or the foreign tax number. */
  readonly taxId: string
  readonly phone: string
  readonly email: string
  readonly address: string
}

const digits = (random: Random, count: number): string =>
  String(random.int(0, 10 ** count - 1)).padStart(count, '0')

const phone = (random: Random): string =>
  `${random.pick(['809', '829', '849'])}-${random.int(220, 999)}-${digits(random, 4)}`

const address = (random: Random): string =>
  `${random.pick(STREETS)} #${random.int(1, 320)}, ${random.pick(TOWNS)}`

/** Letters and digits only, without accents: the local part of an address and the name of an example domain. */
const ascii = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-|-$/g, '')

const personName = (random: Random): string =>
  `${random.pick(GIVEN_NAMES)} ${random.pick(SURNAMES)} ${random.pick(SURNAMES)}`

const companyName = (random: Random): string =>
  random.chance(35)
    ? `${random.pick(TRADES)} ${random.pick(SURNAMES)} & ${random.pick(['Asociados', 'Hermanos', 'Hijos'])}, ${random.pick(COMPANY_FORMS)}`
    : `${random.pick(TRADES)} ${random.pick(COMPANY_NAMES)}, ${random.pick(COMPANY_FORMS)}`

/** Example domains only (RFC 2606): no real mailbox is ever named. */
const officeMail = (random: Random, name: string): string =>
  `${random.pick(['facturas', 'compras', 'contabilidad', 'info'])}@${ascii(name).slice(0, 40).replace(/-$/, '')}.example`

/** A made-up party of that class. */
export function createParty(random: Random, kind: PartyClass): PartyData {
  switch (kind) {
    case 'person': {
      const name = personName(random)
      const mail = `${ascii(name).replaceAll('-', '.')}@example.com`
      return {
        name,
        taxId: createCedula(random),
        phone: phone(random),
        email: mail,
        address: address(random),
      }
    }
    case 'foreign': {
      const name = random.pick(FOREIGN_COMPANIES)
      const call = `+1-${random.int(201, 989)}-${random.int(200, 999)}-${digits(random, 4)}`
      return {
        name,
        taxId: `${digits(random, 2)}-${digits(random, 7)}`,
        phone: call,
        email: officeMail(random, name),
        address: random.pick(FOREIGN_ADDRESSES),
      }
    }
    default: {
      const name = nameOf(random, kind)
      const taxId = createRnc(random, kind === 'government' ? '4' : '1')
      return { name, taxId, phone: phone(random), email: officeMail(random, name), address: address(random) }
    }
  }
}

function nameOf(random: Random, kind: 'company' | 'government' | 'free-zone'): string {
  if (kind === 'government') return `${random.pick(GOVERNMENT_BODIES)} ${random.pick(TOWNS)}`
  if (kind === 'free-zone')
    return `${random.pick(FREE_ZONE_NAMES)} ${random.pick(COMPANY_NAMES)} Zona Franca, SAS`
  return companyName(random)
}
