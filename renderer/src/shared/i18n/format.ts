import type { FlatNamespace } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Language } from '#catalog/text.ts'
import { LOCALES } from '#core/json/money.ts'
import { durationText } from '#core/time/duration.ts'

const pad = (value: number, width = 2): string => String(value).padStart(width, '0')

/** English in the browser's own flavour (en-GB), for its digits and dates. */
const localeOf = (language: Language): string =>
  (language === 'en' && navigator.languages.find((tag) => tag.toLowerCase().startsWith('en'))) ||
  LOCALES[language]

/** Made when it is first asked for: the first Intl object of a page takes tens of milliseconds, each further one some. */
function late<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

function createFormat(language: Language) {
  const locale = localeOf(language)
  const number = (options?: Intl.NumberFormatOptions) => late(() => new Intl.NumberFormat(locale, options))
  const date = (options: Intl.DateTimeFormatOptions) => late(() => new Intl.DateTimeFormat(locale, options))
  const integer = number()
  const compact = number({ notation: 'compact', maximumFractionDigits: 1 })
  const oneDigit = number({ minimumFractionDigits: 1, maximumFractionDigits: 1 })
  const inYear = { month: 'short', day: 'numeric' } as const
  const whole = { year: 'numeric', ...inYear } as const
  // By the 24-hour clock everywhere, as the columns of times have it.
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const seconds = { ...time, second: '2-digit' } as const
  const exact = { ...seconds, fractionalSecondDigits: 3, timeZoneName: 'longOffset' } as const
  const full = date({ weekday: 'short', ...whole, ...exact })
  const moment = date({ ...whole, ...time })
  const thisYear = date({ ...inYear, ...seconds })
  const weekday = date({ weekday: 'short', ...whole })
  const day = date(whole)
  const units = ['kB', 'MB', 'GB', 'TB'] as const
  return {
    language,
    locale,
    number: (value: number): string => integer().format(value),
    /** A count where there is little room: whole below 10,000, `12.3K` above. */
    compact: (value: number): string => (value < 10_000 ? integer : compact)().format(value),
    /** Bytes in decimal units, as the picture has them: `412 B`, `2.9 GB`. */
    bytes: (value: number): string => {
      if (value < 1000) return `${integer().format(value)} B`
      let scaled = value
      let unit = -1
      while (scaled >= 999.95 && unit < units.length - 1) {
        scaled /= 1000
        unit += 1
      }
      return `${oneDigit().format(scaled)} ${units[unit] ?? 'kB'}`
    },
    duration: durationText,
    rate: (perSecond: number): string =>
      perSecond >= 10 || perSecond === 0
        ? integer().format(Math.round(perSecond))
        : oneDigit().format(perSecond),
    /** Local wall clock of an instant in microseconds: `10:42:28.235`. The same in every locale: it is read in columns. */
    clock: (us: number): string => {
      const d = new Date(us / 1000)
      return `${pad(d.getHours())}:${pad(d.getMinutes())}:${pad(d.getSeconds())}.${pad(d.getMilliseconds(), 3)}`
    },
    instant: (us: number): string => full().format(us / 1000),
    /** Local date and time of an instant in microseconds, to the minute: for sentences. */
    moment: (us: number): string => moment().format(us / 1000),
    /** Local date and time where there is little room: with seconds in the present year, else with the year and without. */
    brief: (us: number): string =>
      (new Date(us / 1000).getFullYear() === new Date().getFullYear() ? thisYear : moment)().format(
        us / 1000,
      ),
    day: (us: number): string => day().format(us / 1000),
    weekday: (us: number): string => weekday().format(us / 1000),
  }
}
export type Format = ReturnType<typeof createFormat>

const FORMATS = { en: late(() => createFormat('en')), es: late(() => createFormat('es')) }

/** Numbers, dates, sizes and durations in the window's language. Made once per language: Intl objects are dear to build. */
export const formatFor = (language: Language): Format => FORMATS[language]()

/** The language on screen, for texts of the catalogue (`field.label[language]`). */
export function useLanguage(): Language {
  const { i18n } = useTranslation()
  return i18n.language === 'es' ? 'es' : 'en'
}

export function useFormat(): Format {
  return formatFor(useLanguage())
}

/** The texts of a namespace, with the formats and the language of the window. */
export function useTexts<const N extends FlatNamespace | readonly [FlatNamespace, ...FlatNamespace[]]>(
  of: N,
) {
  const { t } = useTranslation(of)
  const language = useLanguage()
  return { t, format: formatFor(language), language }
}
