import { CaseSensitive, ChevronDown, ChevronUp, X } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { TextField } from '@/shared/components/text-field.tsx'
import { useFormat } from '@/shared/i18n/format.ts'
import type { Find } from './use-find.ts'

/** Find in the body: Enter goes on, Shift+Enter back, Esc closes. */
export function FindBar({ find }: { readonly find: Find }) {
  const { t } = useTranslation('detail')
  const format = useFormat()
  const field = useRef<HTMLInputElement>(null)
  const { asked } = find
  // Asking again (Ctrl+F while open) puts the focus back and marks what is there, as browsers do.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` counts the askings
  useLayoutEffect(() => field.current?.select(), [asked])
  const count =
    find.count === null
      ? ''
      : find.count === 0
        ? t('find.none')
        : t('find.place', {
            index: format.number(find.index + 1),
            of: `${format.number(find.count)}${find.capped ? '+' : ''}`,
          })
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is not in every supported Chromium's tree
    <div role="search" className="grid grid-cols-[minmax(0,1fr)_repeat(4,auto)] gap-2 pr-8 pb-6 pl-14">
      <TextField
        ref={field}
        label={t('find.label')}
        hideLabel
        mono
        placeholder={t('find.label')}
        value={find.text}
        onChange={find.setText}
        onEnter={(event) => find.go(event.shiftKey ? -1 : 1)}
        onEscape={find.close}
        trailing={
          <span role="status" className="pr-6 text-fg-3 text-xs tabular-nums whitespace-nowrap">
            {count}
          </span>
        }
      />
      <IconButton
        label={t('find.case')}
        icon={<CaseSensitive />}
        pressed={find.matchCase}
        onClick={() => find.setMatchCase(!find.matchCase)}
      />
      <IconButton label={t('find.previous')} kbd="⇧ Enter" icon={<ChevronUp />} onClick={() => find.go(-1)} />
      <IconButton label={t('find.next')} kbd="Enter" icon={<ChevronDown />} onClick={() => find.go(1)} />
      <IconButton label={t('find.close')} kbd="Esc" icon={<X />} onClick={find.close} />
    </div>
  )
}
