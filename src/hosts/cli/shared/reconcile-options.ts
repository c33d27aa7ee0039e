import { InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { PAGE_SIZE } from '#catalog/service.ts'
import type { Language } from '#catalog/text.ts'
import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import { AcuseError } from '#contract/errors.ts'
import type {
  DocumentClass,
  DocumentRow,
  ReconciliationSummary,
  SweepRange,
  SyncRoute,
} from '#contract/reconcile.ts'
import { CLASSES, ROUTE_CHOICES } from '#contract/values.ts'
import { resolveRange } from '#core/reconcile/range.ts'
import { reasonText, wordsOf } from '#interop/report/words.ts'
import { REPORT_FORMATS, reportFormat } from '#interop/report/write.ts'
import { accountOptions } from './account.ts'
import { flag, option, preset, type Values } from './command.ts'
import { destinationFrom } from './destination.ts'
import { wrongUsage } from './failures.ts'
import { didYouMean, listed, visible } from './text.ts'

/** @returns one range per route, with both ends in the form that the service takes @throws CommandFailure that names the wrong option */
export const rangesOf = (options: ReconcileOptions, zone: string): readonly SweepRange[] =>
  inWords(() =>
    routesOf(options).map((route) =>
      resolveRange(
        {
          route,
          from: options.from ?? null,
          to: options.to ?? null,
          documentTypeId: options.documentTypeId ?? null,
          pageSize: options.pageSize,
        },
        zone,
      ),
    ),
  )

/** Runs before any store is opened. @throws CommandFailure for wrong dates */
export function checkDates(options: ReconcileOptions): void {
  const { from, to, route, pageSize } = options
  if ((from === undefined) !== (to === undefined) || (from === undefined && route !== 'treasury'))
    throw wrongUsage(
      route === 'treasury'
        ? 'Give both --from and --to, or neither for all debts there are.'
        : 'Give the issue dates: --from 2026-10-01 --to 2026-10-31. Only --route treasury can omit them.',
    )
  // A saved connection may have another zone, on which the order of the ends depends; `runReconcile` checks those.
  if (options.connection === undefined) rangesOf(options, DEFAULT_CONNECTION.zone)
  const only = { route: 'treasury', documentTypeId: null, pageSize } as const
  inWords(() => {
    for (const ends of [
      { from: from ?? null, to: null },
      { from: null, to: to ?? null },
    ])
      resolveRange({ ...only, ...ends }, DEFAULT_CONNECTION.zone)
  })
}

/** Replaces the range's member in an error by the option that the user knows. */
function inWords<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof AcuseError)) throw error
    throw wrongUsage(
      visible(
        error.message.replace(/^range\.(\w+)/, (_, name) => `--${name === 'pageSize' ? 'page-size' : name}`),
      ),
    )
  }
}

const WORDS = wordsOf('en')

/** Names of the classes in --json; users' scripts rely on them. */
const CLASS_NAMES = {
  matched: 'matched',
  differs: 'differs',
  missing: 'missing',
  'webhook-only': 'webhookOnly',
  'not-yet-due': 'notYetDue',
  'date-unknown': 'dateUnknown',
  'not-subscribed': 'notSubscribed',
  'cannot-tell': 'cannotTell',
  recovered: 'recovered',
} as const satisfies Readonly<Record<DocumentClass, string>>
export type ClassName = (typeof CLASS_NAMES)[DocumentClass]

/** A reconciliation as --json prints it; names and order are fixed. @param rows the documents other than matched */
export function reconciliationRecord(
  {
    sweep,
    counts,
    notReached,
    sharedDifferences,
    joinedByNumber = false,
  }: Pick<ReconciliationSummary, 'sweep' | 'counts' | 'notReached' | 'sharedDifferences' | 'joinedByNumber'>,
  rows: readonly DocumentRow[],
) {
  return {
    route: sweep.range.route,
    complete: sweep.state === 'complete',
    items: sweep.documents,
    counts: Object.fromEntries(
      Object.entries(CLASS_NAMES).map(([name, word]) => [word, counts[name as DocumentClass]]),
    ),
    rows: rows.map((row) => ({
      documentId: row.documentId,
      number: row.number,
      class: CLASS_NAMES[row.class],
      missed: row.missed.map(({ kind, rule }) => ({ kind, rule })),
      rules: row.rules,
      differences: row.differences,
      cannotTell: row.cannotTell,
      reason: reasonText(WORDS, row),
      ...(row.issuedSince ? { issuedSince: true } : {}),
    })),
    // Captured documents outside the range of an incomplete sweep. Not a key of `counts`, whose keys are fixed.
    ...(sweep.state === 'complete' ? {} : { notReached }),
    // Listed once per field: another representation or meaning on all documents, which makes none of them differ.
    ...(sharedDifferences.length === 0 ? {} : { sharedDifferences }),
    ...(joinedByNumber ? { joinedByNumber } : {}),
  }
}

const routesOf = ({ route }: ReconcileOptions): readonly SyncRoute[] =>
  route === 'both' ? ['accounting', 'treasury'] : [route]

/** Parses `--fail-on`: classes as in the counts of --json, in any case, with or without hyphens. */
export function failOnFrom(text: string): ReadonlySet<DocumentClass> {
  const fold = (word: string) => word.replaceAll('-', '').toLowerCase()
  const choices = CLASSES.filter((one) => one !== 'matched')
  const names = choices.map((one): ClassName => CLASS_NAMES[one])
  const found = listed(text).map((word) => {
    const one = choices.find((choice) => fold(choice) === fold(word))
    if (one !== undefined) return one
    throw new InvalidArgumentError(
      `"${visible(word)}" is not a class.${didYouMean(word, names)} There are ${names.join(', ')}.`,
    )
  })
  if (found.length === 0)
    throw new InvalidArgumentError(`Give classes with commas between them: ${names.join(', ')}.`)
  return new Set(found)
}

export function reportFrom(file: string): string {
  if (reportFormat(file) !== undefined) return file
  throw new InvalidArgumentError(`Its name decides the form: .${REPORT_FORMATS.join(', .')}.`)
}

export const LANGUAGES: readonly Language[] = ['en', 'es']

/** @returns the language of the environment, such as `LANG=es_DO.UTF-8`; English for a language that Acuse lacks */
export function languageOf(env: Readonly<Record<string, string | undefined>>): Language {
  // The first variable that is set decides (POSIX, 8.2); an empty one counts as unset.
  const wanted = [env.LC_ALL, env.LC_MESSAGES, env.LANG].find((one) => one !== undefined && one !== '')
  return LANGUAGES.find((one) => wanted?.toLowerCase().split(/[_.@-]/)[0] === one) ?? 'en'
}

export const RECONCILE = {
  ...accountOptions('the account to reconcile with', 'the same by the address of the service, for this run'),
  from: option('<date>', "first issue date: a day in the connection's zone, or a date-time with offset"),
  to: option('<date>', 'last issue date, that day included'),
  route: preset('<route>', 'treasury lists debts only', z.enum(ROUTE_CHOICES), 'accounting'),
  documentTypeId: option('<n>', 'documents of this type only', z.int().min(0).max(999_999_999)),
  pageSize: preset(
    '<n>',
    `items asked for at once, up to ${PAGE_SIZE.maximum}`,
    z.int().min(1).max(PAGE_SIZE.maximum),
    PAGE_SIZE.default,
  ),
  recoverTo: option(
    '<address>',
    'rebuild the missed events and send them there: an http(s) address, or the name of a target',
    destinationFrom,
  ),
  failOn: preset(
    '<classes>',
    'what makes the exit code 1, such as missing,differs',
    failOnFrom,
    new Set<DocumentClass>(['missing']),
    'missing',
  ),
  report: option('<file>', 'write a report: .html, .csv, .json or .md', reportFrom),
  language: {
    ...option('<language>', 'of the report; LANG decides when this is left out', z.enum(LANGUAGES)),
    needs: 'report',
  },
  unmask: { ...flag('show the names of customers and suppliers in the report'), needs: 'report' },
}
export type ReconcileOptions = Values<typeof RECONCILE>
