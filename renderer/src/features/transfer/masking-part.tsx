import { useTranslation } from 'react-i18next'
import type { Result } from '#contract/commands.ts'
import type { MASK_KINDS, PreviewExport } from '#contract/transfer.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { Refused } from '@/shared/components/refused.tsx'
import { ScrollRegion } from '@/shared/components/scroll-region.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { Table } from '@/shared/components/table.tsx'
import { Switch } from '@/shared/components/toggle.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { type Answer, useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'

/** Kinds of values that the file masks. */
export type Covered = Readonly<Record<(typeof MASK_KINDS)[number], boolean>>
export const COVERED: Covered = { credential: true, personal: true }
type Preview = Result<'export.preview'>

export const usePreview = (params: PreviewExport): Answer<Preview> =>
  useAnswer(JSON.stringify(params), () => api.call('export.preview', params))

/** Places whose names are no names of a header or a field. */
const PLACES = {
  'e-mail address': 'email',
  'tax id': 'taxId',
  phone: 'phone',
  token: 'token',
  authorization: 'authorization',
  parameter: 'parameter',
  finding: 'finding',
  'value known from a field': 'known',
} as const
const isKnown = (place: string): place is keyof typeof PLACES => Object.hasOwn(PLACES, place)

function usePlaceText(): (place: string) => string {
  const { t } = useTranslation('exports')
  return (place) => {
    const [, what, name = ''] = /^(header|field) (.+)$/s.exec(place) ?? []
    if (what === 'header' || what === 'field') return t(`mask.places.${what}`, { name })
    return isKnown(place) ? t(`mask.places.${PLACES[place]}`) : place
  }
}

interface MaskingPartProps {
  readonly covered: Covered
  readonly preview: Answer<Preview>
  readonly onChange: (covered: Covered) => void
}

/** Decides what the file masks, and shows it. */
export function MaskingPart({ covered, preview, onChange }: MaskingPartProps) {
  const { t } = useTranslation('exports')
  const { credential, personal } = covered
  return (
    <section className="grid grid-rows-[auto_auto_minmax(0,1fr)] content-start gap-10 min-w-0">
      <h3 className="-mb-4 heading-s">{t('mask.title')}</h3>
      <div className="grid gap-8">
        <Switch
          label={t('mask.credentials')}
          hint={t('mask.credentialsHint')}
          checked={credential}
          onChange={(on) => onChange({ ...covered, credential: on })}
        />
        <Switch
          label={t('mask.personal')}
          hint={t('mask.personalHint')}
          checked={personal}
          onChange={(on) => onChange({ ...covered, personal: on })}
        />
        {credential && personal ? null : (
          <Banner tone="warning" inset>
            {t(`mask.open.${credential ? 'personal' : personal ? 'credential' : 'both'}`)}
          </Banner>
        )}
      </div>
      {credential || personal ? <Masked preview={preview} /> : null}
    </section>
  )
}

function Masked({ preview: { data, refusal } }: { readonly preview: Answer<Preview> }) {
  const { t } = useTranslation('exports')
  const format = useFormat()
  const placeText = usePlaceText()
  if (refusal) return <Refused refusal={refusal} />
  if (!data) return <Spinner label={t('mask.looking')} />
  const { looked: count, masked } = data
  if (count === 0) return null
  if (masked.length === 0)
    return (
      <p role="status" className="text-fg-2 text-s">
        {t('mask.none', { count })}
      </p>
    )
  return (
    <div className="grid grid-rows-[auto_minmax(0,1fr)] gap-4 min-h-0">
      <p role="status" className="text-fg-2 text-s leading-[1.45]">
        {t('mask.looked', { count })}
      </p>
      <ScrollRegion
        label={t('mask.found')}
        className="max-h-240 overflow-y-auto px-10 pb-4 border border-line rounded outline-none focus-visible:focus-inset"
      >
        <Table
          columns={[
            {
              id: 'place',
              title: t('mask.place'),
              names: true,
              className: 'wrap-anywhere',
              cell: ({ place }) => ({ content: <Captured text={placeText(place)} most={120} /> }),
            },
            {
              id: 'kind',
              title: t('mask.kind'),
              className: 'text-fg-2',
              cell: ({ kind }) => t(`mask.kinds.${kind}`),
            },
            { id: 'values', title: t('mask.values'), end: true, cell: ({ values }) => format.number(values) },
          ]}
          rows={masked}
          keyOf={({ kind, place }) => `${kind} ${place}`}
        />
      </ScrollRegion>
    </div>
  )
}
