import type { Random } from './random.ts'

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
