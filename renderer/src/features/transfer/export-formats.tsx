import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Result } from '#contract/commands.ts'
import { origin } from '#contract/params.ts'
import {
  EXPORT_COLUMNS,
  EXPORT_FORMATS,
  type MASK_KINDS,
  type OpenExport,
  type PreviewExport,
} from '#contract/transfer.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { Button } from '@/shared/components/button.tsx'
import { Captured } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Refused } from '@/shared/components/refused.tsx'
import { ScrollRegion } from '@/shared/components/screen.tsx'
import { Spinner } from '@/shared/components/spinner.tsx'
import { Table } from '@/shared/components/table.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { Checkbox, Switch } from '@/shared/components/toggle.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import { type Answer, useAnswer } from '@/shared/live/answer.ts'
import { api } from '@/shared/live/api.ts'

type Format = OpenExport['format']
type Column = (typeof EXPORT_COLUMNS)[number]
interface Options {
  readonly bodies: boolean
  readonly columns: readonly Column[]
  /** As typed; empty: the host that each delivery names. */
  readonly base: string
}
export interface ExportDraft extends Options {
  readonly format: Format
}

export const FIRST_DRAFT: ExportDraft = { format: 'ndjson', bodies: true, columns: EXPORT_COLUMNS, base: '' }

/** Options that change a format. */
const OPTIONS: Readonly<Record<Format, readonly (keyof Options)[]>> = {
  ndjson: ['bodies'],
  csv: ['columns'],
  har: ['base'],
  raw: [],
  curl: ['base'],
  powershell: ['base'],
  postman: ['base'],
  fixture: ['base'],
  report: [],
  session: [],
}

const isOrigin = (text: string): boolean => origin.safeParse(text).success

/** The parameters of a format; null while one is wrong. */
export function paramsOf({ format, bodies, columns, base }: ExportDraft): Omit<OpenExport, 'source'> | null {
  const has = (option: keyof Options) => OPTIONS[format].includes(option)
  if (has('columns') && columns.length === 0) return null
  if (has('base') && base !== '' && !isOrigin(base)) return null
  return {
    format,
    ...(has('bodies') ? { bodies } : {}),
    ...(has('columns') ? { columns } : {}),
    ...(has('base') && base !== '' ? { base } : {}),
  }
}

interface FormatPartProps {
  readonly draft: ExportDraft
  readonly onChange: (change: Partial<ExportDraft>) => void
}

export function FormatPart({ draft, onChange }: FormatPartProps) {
  const { t } = useTranslation('exports')
  const name = useId()
  return (
    <fieldset className="min-w-0 m-0 p-0 border-0">
      <legend className="p-0 pb-6 heading-s">{t('format')}</legend>
      <div className="grid border border-line rounded overflow-hidden">
        {EXPORT_FORMATS.map((format) => (
          <label
            key={format}
            className={cx(
              'grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-8 px-10 py-5 cursor-default',
              'not-first:border-t border-line-soft has-[:focus-visible]:focus-inset',
              format === draft.format ? 'bg-selected' : 'hover:bg-hover',
            )}
          >
            <input
              type="radio"
              name={name}
              className="m-0 accent-accent outline-none"
              data-begin={format === draft.format ? '' : undefined}
              checked={format === draft.format}
              onChange={() => onChange({ format })}
            />
            <span className="text-s font-medium">{t(`formats.${format}.name`)}</span>
            <span className="col-[2] text-fg-2 text-xs leading-[1.4]">{t(`formats.${format}.hint`)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** The options that the format has. */
export function OptionsPart(props: FormatPartProps) {
  return OPTIONS[props.draft.format].map((option) => {
    const Option = VIEWS[option]
    return <Option key={option} {...props} />
  })
}

const VIEWS = { bodies: Bodies, columns: Columns, base: Base } as const

function Bodies({ draft, onChange }: FormatPartProps) {
  const { t } = useTranslation('exports')
  return (
    <Checkbox
      label={t('options.bodies')}
      hint={t('options.bodiesHint')}
      checked={draft.bodies}
      onChange={(bodies) => onChange({ bodies })}
    />
  )
}

function Columns({ draft: { columns }, onChange }: FormatPartProps) {
  const { t } = useTranslation('exports')
  return (
    <fieldset className="grid gap-6 min-w-0 m-0 p-0 border-0">
      <legend className="p-0 pb-4 text-fg-2 label-s">
        {t('options.columns', { count: columns.length, of: EXPORT_COLUMNS.length })}
      </legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(112px,1fr))] gap-x-10 gap-y-4 [&_label]:code-s">
        {EXPORT_COLUMNS.map((column) => (
          <Checkbox
            key={column}
            label={column}
            checked={columns.includes(column)}
            onChange={(on) =>
              onChange({
                columns: EXPORT_COLUMNS.filter((one) => (one === column ? on : columns.includes(one))),
              })
            }
          />
        ))}
      </div>
      <div className="flex items-center gap-6">
        <Button small onClick={() => onChange({ columns: EXPORT_COLUMNS })}>
          {t('options.columnsAll')}
        </Button>
        <Button small onClick={() => onChange({ columns: [] })}>
          {t('options.columnsNone')}
        </Button>
        {columns.length === 0 ? (
          <span role="alert" className="text-invalid text-xs">
            {t('options.columnsMissing')}
          </span>
        ) : null}
      </div>
    </fieldset>
  )
}

function Base({ draft: { base }, onChange }: FormatPartProps) {
  const { t } = useTranslation('exports')
  return (
    <TextField
      label={t('options.base')}
      hint={t('options.baseHint')}
      error={base === '' || isOrigin(base) ? null : t('options.baseWrong')}
      mono
      placeholder="http://localhost:3000"
      value={base}
      onChange={(text) => onChange({ base: text.trim() })}
    />
  )
}

/** Kinds of values that the file masks. */
type Covered = Readonly<Record<(typeof MASK_KINDS)[number], boolean>>
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
