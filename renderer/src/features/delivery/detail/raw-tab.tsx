import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeliveryDetail, Finding } from '#contract/delivery.ts'
import { deliveryBody, type FailedBody, isOpen, type OpenBody } from '@/shared/body/open-body.ts'
import { PartialNotice } from '@/shared/body/partial-notice.tsx'
import type { BodyView } from '@/shared/body/protocol.ts'
import { RawView, type Target } from '@/shared/body/raw-view.tsx'
import { useOpenBody, useWhole, type Whole } from '@/shared/body/use-whole.ts'
import { Banner } from '@/shared/components/banner.tsx'
import { EmptyState } from '@/shared/components/empty-state.tsx'
import { Loading } from '@/shared/components/loading.tsx'
import { Select } from '@/shared/components/select.tsx'

export interface RawTabProps {
  readonly detail: DeliveryDetail
  readonly whole: Whole
  readonly target: Target | null
  readonly findAsked: number
  readonly chosen: BodyView | null
  readonly onChoose: (view: BodyView) => void
}

const NO_FINDINGS: readonly Finding[] = []

type Form = 'decoded' | 'raw'

/** The body as received. With a Content-Encoding the user can switch between decoded text and wire bytes. */
export function RawTab(props: RawTabProps) {
  const { detail } = props
  const { t } = useTranslation('detail')
  const [form, setForm] = useState<Form>('decoded')
  const coded = detail.codings.length > 0
  const tools = coded ? (
    <Select<Form>
      label={t('raw.form')}
      hideLabel
      value={form}
      onChange={setForm}
      options={[
        { value: 'decoded', label: t('raw.decoded', { codings: detail.codings.join(', ') }) },
        { value: 'raw', label: t('raw.received') },
      ]}
    />
  ) : null
  if (coded && form === 'raw') return <Received key={detail.id} {...props} tools={tools} />
  return <RawBody {...props} tools={tools} />
}

interface BodyProps extends RawTabProps {
  readonly tools: ReactNode
  readonly findings?: readonly Finding[]
}

function Received(props: BodyProps) {
  const begun = useOpenBody(deliveryBody(props.detail.id, 'raw'))
  if (!begun) return <Loading className="h-120" />
  return <ReceivedBody {...props} begun={begun} />
}

function ReceivedBody({ begun, ...props }: BodyProps & { readonly begun: OpenBody | FailedBody }) {
  const whole = useWhole(begun)
  // Findings point into the decoded text, not into the wire bytes.
  return <RawBody {...props} whole={whole} target={null} findings={NO_FINDINGS} />
}

function RawBody({ detail, whole, findings = detail.findingList, ...shown }: BodyProps) {
  const { t } = useTranslation('detail')
  const { body } = whole
  if (!isOpen(body)) {
    return (
      <div className="flex flex-col min-h-0 h-full">
        <div className="flex flex-none flex-wrap items-center gap-4 pt-6 pr-8 pb-6 pl-14 empty:hidden">
          {shown.tools}
        </div>
        <Banner tone="warning" title={t('raw.undecodable')}>
          {body.problem}
        </Banner>
      </div>
    )
  }
  const cut =
    detail.bodyKept < detail.size ? t('raw.cut', { kept: detail.bodyKept, size: detail.size }) : null
  if (body.total === 0) return <EmptyState title={t('event.emptyBody')}>{cut}</EmptyState>
  return (
    <div className="flex flex-col min-h-0 h-full">
      {cut === null ? null : <Banner tone="warning">{cut}</Banner>}
      <PartialNotice whole={whole} />
      <RawView key={body.source.key} {...{ body, findings }} {...shown} />
    </div>
  )
}
