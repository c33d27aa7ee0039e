import type { Random } from './random.ts'

/** ITBIS in per cent; 0 is exempt. */
export type TaxRate = 0 | 16 | 18

export interface ProductData {
  readonly code: string
  readonly description: string
  readonly isService: boolean
  readonly rate: TaxRate
  /** In cents of a Dominican peso, before tax. */
  readonly price: number
  readonly unit: number
}

type Row = readonly [code: string, description: string, rate: TaxRate, pesos: number]

/** 18 % is the general rate; 16 % stands for the reduced list (coffee, sugar, oil, yoghurt); basic food, books and health are exempt. */
const GOODS: readonly Row[] = [
  ['CEM-042', 'Cemento gris 42.5 kg', 18, 468],
  ['VAR-038', 'Varilla corrugada 3/8"', 18, 312],
  ['PIN-001', 'Pintura acrílica blanca, galón', 18, 1290],
  ['TUB-012', 'Tubo PVC 1/2" SDR 26', 18, 185],
  ['LED-009', 'Bombillo LED 9 W', 18, 145],
  ['INV-3K5', 'Inversor 3.5 kW', 18, 38_500],
  ['BAT-006', 'Batería de ciclo profundo 6 V', 18, 9_850],
  ['LAP-014', 'Computadora portátil 14"', 18, 42_900],
  ['TON-085', 'Tóner negro 85A', 18, 3_450],
  ['PAP-500', 'Papel bond 8.5×11, resma', 18, 365],
  ['SIL-020', 'Silla ergonómica', 18, 8_750],
  ['NEU-195', 'Neumático 195/65 R15', 18, 4_980],
  ['ACE-20W', 'Aceite de motor 20W-50, cuarto', 18, 420],
  ['CAF-001', 'Café molido 1 lb', 16, 385],
  ['AZU-005', 'Azúcar refina 5 lb', 16, 205],
  ['ACE-128', 'Aceite vegetal 128 oz', 16, 690],
  ['YOG-032', 'Yogur natural 32 oz', 16, 198],
  ['MAN-015', 'Mantequilla 15 oz', 16, 265],
  ['ARR-010', 'Arroz selecto 10 lb', 0, 430],
  ['HAB-002', 'Habichuelas rojas 2 lb', 0, 180],
  ['POL-001', 'Pollo fresco, libra', 0, 88],
  ['LIB-101', 'Libro de texto, primaria', 0, 1_150],
  ['MED-500', 'Acetaminofén 500 mg, caja', 0, 240],
]

const SERVICES: readonly Row[] = [
  ['SRV-CON', 'Consultoría contable, hora', 18, 2_800],
  ['SRV-SOP', 'Soporte técnico mensual', 18, 12_500],
  ['SRV-ALQ', 'Alquiler de local, mes', 18, 45_000],
  ['SRV-PUB', 'Campaña publicitaria', 18, 68_000],
  ['SRV-LIM', 'Servicio de limpieza', 18, 6_400],
  ['SRV-SEG', 'Vigilancia, mes', 18, 38_000],
  ['SRV-MAN', 'Mantenimiento de aires acondicionados', 18, 3_900],
  ['SRV-LEG', 'Honorarios legales', 18, 22_000],
  ['SRV-TRA', 'Transporte de carga', 0, 9_800],
  ['SRV-EDU', 'Taller de capacitación', 0, 15_500],
  ['SRV-SAL', 'Consulta médica', 0, 3_000],
]

const UNIT_PIECE = 43
const UNIT_SERVICE = 59
function product(isService: boolean, [code, description, rate, pesos]: Row): ProductData {
  const unit = isService ? UNIT_SERVICE : UNIT_PIECE
  return { code, description, isService, rate, price: pesos * 100, unit }
}

export const FIRST_PRODUCTS: readonly ProductData[] = [
  ...GOODS.map((row) => product(false, row)),
  ...SERVICES.map((row) => product(true, row)),
]

export function createProduct(random: Random): ProductData {
  const model = random.pick(FIRST_PRODUCTS)
  const serial = random.int(100, 9999)
  const price = Math.max(100, Math.round((model.price * random.int(60, 180)) / 10_000) * 100)
  const label = random.pick(['lote', 'serie', 'modelo', 'presentación'])
  return {
    ...model,
    code: `${model.code}-${serial}`,
    description: `${model.description}, ${label} ${serial}`,
    price,
  }
}
