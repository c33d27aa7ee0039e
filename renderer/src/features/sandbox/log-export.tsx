import { Copy, Download, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SandboxLogQuery } from '#contract/sandbox.ts'
import { Button } from '@/shared/components/button.tsx'
import { IconButton } from '@/shared/components/icon-button.tsx'
import { Menu } from '@/shared/components/menu.tsx'
import { useAction } from '@/shared/components/use-action.ts'
import { useFormat } from '@/shared/i18n/format.ts'
import { useRefusalText } from '@/shared/i18n/refusals.ts'
import { api } from '@/shared/live/api.ts'
import { saveText } from '@/shared/platform/web.ts'
import { useLogFilter } from './log-source.ts'

/** As many as the host gives at once. */
const PER_PAGE = 100

/**
 * Every entry that a filter finds with its request and answer, one line of JSON each, oldest first.
 * @param onProgress told how many have been read
 * @returns undefined when it was given up
 * @throws RefusalError
 */
async function logLines(
  filter: SandboxLogQuery,
  onProgress: (read: number) => void,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const lines: string[] = []
  let after = 0
  for (;;) {
    const page = await api.call('sandbox.log-entries', {
      ...filter,
      ...{ order: 'oldest', after, limit: PER_PAGE },
    })
    if (signal.aborted) return undefined
    for (const entry of page.entries) lines.push(JSON.stringify(entry))
    onProgress(lines.length)
    if (page.next === null) return lines
    after = page.next
  }
}

type Done = { readonly how: 'exported' | 'saved'; readonly count: number }

/** The log as the filter finds it, one entry a line, to the clipboard or into a file. */
export function LogExport({ total }: { readonly total: number }) {
  const { t } = useTranslation(['sandbox', 'common'])
  const format = useFormat()
  const refusalText = useRefusalText()
  const filter = useLogFilter((s) => s.filter)
  const action = useAction()
  const [read, setRead] = useState(0)
  const [done, setDone] = useState<Done | null>(null)
  const abort = useRef<AbortController>(undefined)
  const run = (how: Done['how']) =>
    action.run(async () => {
      setDone(null)
      setRead(0)
      abort.current = new AbortController()
      const lines = await logLines(filter, setRead, abort.current.signal)
      if (!lines) return
      const text = lines.map((line) => `${line}\n`).join('')
      if (how === 'exported') await api.copy(text)
      else saveText('acuse-sandbox-log.ndjson', 'application/x-ndjson', text)
      setDone({ how, count: lines.length })
    })
  const shown = (count: number) => ({ count, formatted: format.number(count) })
  return (
    <span className="inline-flex items-center gap-8">
      <span role="status" className="text-fg-2 text-s tabular-nums whitespace-nowrap empty:hidden">
        {action.busy
          ? t('log.exporting', { done: format.number(read), total: format.number(total) })
          : action.refusal
            ? refusalText(action.refusal)
            : done
              ? t(`log.${done.how}`, shown(done.count))
              : ''}
      </span>
      {action.busy ? (
        <IconButton label={t('common:cancel')} icon={<X />} onClick={() => abort.current?.abort()} />
      ) : (
        <Menu
          align="end"
          trigger={
            <Button icon={<Download />} disabled={total === 0}>
              {t('log.export')}
            </Button>
          }
          entries={[
            {
              type: 'item',
              label: t('log.exportSave'),
              icon: <Download />,
              onSelect: () => void run('saved'),
            },
            {
              type: 'item',
              label: t('log.exportCopy'),
              icon: <Copy />,
              onSelect: () => void run('exported'),
            },
          ]}
        />
      )}
    </span>
  )
}
