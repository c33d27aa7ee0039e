import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { origin } from '#contract/params.ts'
import { EXPORT_COLUMNS, EXPORT_FORMATS, type OpenExport } from '#contract/transfer.ts'
import { Button } from '@/shared/components/button.tsx'
import { cx } from '@/shared/components/cx.ts'
import { TextField } from '@/shared/components/text-field.tsx'
import { Checkbox } from '@/shared/components/toggle.tsx'

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
