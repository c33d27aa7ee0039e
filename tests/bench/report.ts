import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { resolve } from 'node:path'

const FOLDER = resolve(import.meta.dirname, '../../bench-results')

export interface Figure {
  readonly row: string
  readonly what: string
  readonly target: string
  /** One value per repeat. */
  readonly values: readonly number[]
  readonly unit: string
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

const short = (value: number) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3))

/** Prints a table (median and spread) and keeps everything as JSON under bench-results/. */
export function report(name: string, figures: readonly Figure[], raw: unknown): void {
  const rows = figures.map((figure) => [
    figure.row,
    figure.what,
    `${short(median(figure.values))} ${figure.unit}`.trim(),
    `${short(Math.min(...figure.values))} to ${short(Math.max(...figure.values))}`,
    figure.target,
  ])
  console.log(`\n| # | work | median | spread | target |\n|---|---|---|---|---|`)
  for (const row of rows) console.log(`| ${row.join(' | ')} |`)
  mkdirSync(FOLDER, { recursive: true })
  const machine = { node: process.version, cpus: cpus().length, model: cpus()[0]?.model }
  const file = resolve(FOLDER, `${name}.json`)
  writeFileSync(file, JSON.stringify({ name, at: new Date().toISOString(), machine, figures, raw }, null, 2))
  console.log(`\nall values: bench-results/${name}.json`)
}
