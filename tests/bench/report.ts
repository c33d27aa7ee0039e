import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { resolve } from 'node:path'

const FOLDER = resolve(import.meta.dirname, '../../bench-results')

/** A row of the table; the last member has one value per repeat. */
export type Figure = readonly [
  row: string,
  what: string,
  target: string,
  unit: string,
  values: readonly number[],
]

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
}

/** @param share of the values that are at most the result, 0 to 1 */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN

const short = (value: number) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3))

/** Prints a table (median and spread) and keeps everything as JSON under bench-results/. */
export function report(name: string, figures: readonly Figure[], raw: unknown): void {
  const rows = figures.map(([row, what, target, unit, values]) => [
    ...[row, what, `${short(median(values))} ${unit}`.trim()],
    ...[`${short(Math.min(...values))} to ${short(Math.max(...values))}`, target],
  ])
  console.log(`\n| # | work | median | spread | target |\n|---|---|---|---|---|`)
  for (const row of rows) console.log(`| ${row.join(' | ')} |`)
  mkdirSync(FOLDER, { recursive: true })
  const machine = { node: process.version, cpus: cpus().length, model: cpus()[0]?.model }
  const file = resolve(FOLDER, `${name}.json`)
  const named = figures.map(([row, what, target, unit, values]) => ({ row, what, target, unit, values }))
  const kept = { name, at: new Date().toISOString(), machine, figures: named, raw }
  writeFileSync(file, JSON.stringify(kept, null, 2))
  console.log(`\nall values: bench-results/${name}.json`)
}
