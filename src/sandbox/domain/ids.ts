import type { Random } from '../data/random.ts'

const hex = (value: number, length: number): string => value.toString(16).padStart(length, '0')

/**
 * A UUID (version 4's form) whose first 32 bits count: ids are unique and grow whatever the generator draws, and no clock goes into them,
 * so that the same seed gives the same ids on another day.
 */
export function idOf(count: number, random: Random): string {
  const parts = [
    hex(random.int(0, 0xffff), 4),
    hex(0x4000 | random.int(0, 0xfff), 4),
    hex(0x8000 | random.int(0, 0x3fff), 4),
  ]
  return `${hex(count, 8)}-${parts.join('-')}-${hex(random.int(0, 2 ** 24 - 1), 6)}${hex(random.int(0, 2 ** 24 - 1), 6)}`
}
