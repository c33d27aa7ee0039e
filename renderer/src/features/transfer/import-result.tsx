import { useTranslation } from 'react-i18next'
import type { SessionParts } from '#contract/transfer.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { ScrollRegion } from '@/shared/components/scroll-region.tsx'
import { type Column, Table } from '@/shared/components/table.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import type { Imported } from './import-run.ts'

/** Problems that are listed, over all files. */
const LISTED = 100

const sum = (results: readonly Imported[], of: 'imported' | 'duplicates' | 'bad'): number =>
  results.reduce((all, { state }) => all + (state?.[of] ?? 0), 0)

/** A filter of the deliveries that these files gave; null when there are none. */
export function importedFilter(results: readonly Imported[]): string | null {
  const ids = results.flatMap(({ state }) => [state?.firstId ?? [], state?.lastId ?? []].flat())
  return ids.length === 0 ? null : `is:imported id:${Math.min(...ids)}..${Math.max(...ids)}`
}

interface Problem {
  readonly file: string
  readonly place: string
  readonly reason: string
}

const PLACES = ['file', 'line', 'entry', 'request', 'delivery', 'attempts', 'sweeps'] as const

const PARTS = ['attempts', 'jobs', 'sweeps'] as const
/** How many of each part of session files were taken, known or left out. */
const partOf = (results: readonly Imported[], what: (typeof PARTS)[number]) => {
  const of = (as: keyof SessionParts['jobs']) =>
    results.reduce((all, { state }) => all + (state?.session?.[what][as] ?? 0), 0)
  return { taken: of('taken'), known: of('known'), leftOut: of('leftOut') }
}

const TONES = { imported: 'text-valid', duplicates: 'text-fg', bad: 'text-invalid' } as const

export function ImportResult(props: { readonly results: readonly Imported[]; readonly cancelled: boolean }) {
  const { results, cancelled } = props
  const { t } = useTranslation('imports')
  const format = useFormat()
  const refusalText = useRefusalText()
  const placeText = (place: string): string => {
    const [, found, number = ''] = /^(\w+)(?: (\d+))?$/.exec(place) ?? []
    const what = PLACES.find((one) => one === found)
    return what ? t(`places.${what}`, { number }) : place
  }
  const problems = results.flatMap(({ name: file, state, refusal }): readonly Problem[] => [
    ...(refusal ? [{ file, place: t('places.file'), reason: refusalText(refusal) }] : []),
    ...(state?.state === 'failed'
      ? [{ file, place: t('places.file'), reason: state.reason ? refusalText(state.reason) : '' }]
      : []),
    ...(state?.problems ?? []).map(({ place, reason }) => ({
      file,
      place: placeText(place),
      reason: refusalText(reason),
    })),
  ])
  const listed = (state: Imported['state']) => state?.problems.length ?? 0
  const unlisted =
    results.reduce((all, { state }) => all + (state?.bad ?? 0) - listed(state), 0) +
    Math.max(0, problems.length - LISTED)
  const column = (id: keyof Problem, className: string): Column<Problem> => ({
    id,
    title: t(`problem.${id}`),
    className,
    cell: (problem) => ({ content: <Captured text={problem[id]} most={300} /> }),
  })
  return (
    <div className="grid grid-cols-1 gap-14">
      <div role="status">
        <dl className="flex gap-28">
          {(['imported', 'duplicates', 'bad'] as const).map((what) => {
            const count = sum(results, what)
            return (
              <div key={what} className="flex flex-col-reverse">
                <dt className="text-fg-2 text-s">{t(what)}</dt>
                <dd className={`text-xl font-semibold tabular-nums ${count > 0 ? TONES[what] : 'text-fg-3'}`}>
                  {format.number(count)}
                </dd>
              </div>
            )
          })}
        </dl>
      </div>
      {cancelled ? (
        <Banner tone="info" inset>
          {t('cancelled')}
        </Banner>
      ) : null}
      {PARTS.map((what) => {
        const part = partOf(results, what)
        return part.taken + part.known + part.leftOut === 0 ? null : (
          <p key={what} className="text-fg-2 text-s">
            {t(`parts.${what}`, part)}
          </p>
        )
      })}
      {sum(results, 'imported') === 0 && sum(results, 'duplicates') > 0 ? (
        <p className="text-fg-2 text-s">{t('nothingNew')}</p>
      ) : null}
      {problems.length > 0 ? (
        <div>
          <h3 className="pb-4 heading-s">{t('problems')}</h3>
          <ScrollRegion
            label={t('problems')}
            className="max-h-260 overflow-y-auto px-10 pb-4 border border-line rounded outline-none focus-visible:focus-inset"
          >
            <Table
              columns={[
                column('file', 'wrap-anywhere'),
                column('place', 'min-w-96 text-fg-2'),
                column('reason', 'wrap-anywhere'),
              ]}
              rows={problems.slice(0, LISTED)}
              keyOf={({ file, place, reason }) => [file, place, reason].join('\n')}
            />
          </ScrollRegion>
          {unlisted > 0 ? (
            <p className="pt-6 text-fg-2 text-s">{t('moreProblems', { count: unlisted })}</p>
          ) : null}
        </div>
      ) : null}
    </div>
  )
}
