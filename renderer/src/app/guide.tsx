import { marked, type Token, type Tokens } from 'marked'
import { Fragment, type ReactNode, useState } from 'react'
import { Code } from '@/shared/components/captured.tsx'
import { cx } from '@/shared/components/cx.ts'
import { Dialog } from '@/shared/components/dialog.tsx'
import { NavItem } from '@/shared/components/section-nav.tsx'
import { useTexts } from '@/shared/i18n/format.ts'
import { useAnswer } from '@/shared/live/answer.ts'
import { useOver } from '@/shared/live/layers.ts'
import { GUIDE_PAGES, type GuidePage } from './guide-pages.ts'

const FILES = import.meta.glob<string>('../../../docs/guide/*.md', { query: '?raw', import: 'default' })
const fileOf = (page: GuidePage, language: 'en' | 'es'): string =>
  `../../../docs/guide/${page}${language === 'es' ? '.es' : ''}.md`

export const pageOf = (href: string): GuidePage | undefined =>
  GUIDE_PAGES.find((page) => new RegExp(`^${page}(?:\\.es)?\\.md`).test(href))

export function Guide({ onClose }: { readonly onClose: () => void }) {
  const { t, language } = useTexts('actions')
  const [page, setPage] = useState<GuidePage>(
    () => GUIDE_PAGES.find((known) => known === useOver.getState().page) ?? 'start',
  )
  const file = fileOf(page, language)
  const { data: text } = useAnswer(file, async () => FILES[file]?.())
  return (
    <Dialog onClose={onClose} title={t('guide.title')} width={940} reading>
      <div className="grid grid-cols-[160px_minmax(0,1fr)] gap-20 items-start">
        <nav aria-label={t('guide.pages')} className="sticky top-0">
          {GUIDE_PAGES.map((name) => (
            <NavItem
              key={name}
              label={t(`guide.page.${name}`)}
              on={name === page}
              onClick={() => setPage(name)}
            />
          ))}
        </nav>
        <article key={`${page} ${language}`} className="grid gap-10 min-w-0 text-m leading-[1.5]">
          <Blocks tokens={marked.lexer(text ?? '')} onPage={setPage} />
        </article>
      </div>
    </Dialog>
  )
}

interface MarkdownProps {
  readonly tokens: readonly Token[]
  readonly onPage: (page: GuidePage) => void
}

const HEADINGS = {
  1: ['h3', 'heading-l'],
  2: ['h4', 'heading-m mt-8 mb-0'],
  3: ['h5', 'heading-s mt-4 mb-0'],
} as const

function Blocks({ tokens, onPage }: MarkdownProps): ReactNode {
  const { t } = useTexts('common')
  const inline = (inner: readonly Token[] | undefined) => <Words tokens={inner ?? []} onPage={onPage} />
  // biome-ignore lint/suspicious/noArrayIndexKey: a page never changes
  return tokens.map((token, at) => <Fragment key={at}>{block(token as Tokens.Generic)}</Fragment>)

  function block(token: Tokens.Generic): ReactNode {
    switch (token.type) {
      case 'heading': {
        const [Heading, look] = HEADINGS[token.depth as 1 | 2 | 3] ?? HEADINGS[3]
        return <Heading className={look}>{inline(token.tokens)}</Heading>
      }
      case 'paragraph':
        return token.tokens?.every(({ type }) => type === 'image') ? null : <p>{inline(token.tokens)}</p>
      case 'code':
        return <Code text={token.text} copyLabel={t('copy')} wrap />
      case 'list': {
        const { ordered, items } = token as Tokens.List
        const List = ordered ? 'ol' : 'ul'
        return (
          <List className={`grid gap-4 pl-20 ${ordered ? 'list-decimal' : 'list-disc'}`}>
            {items.map((item) => (
              <li key={item.raw}>
                {item.tokens.map((part) => (
                  <Words
                    key={part.raw}
                    tokens={'tokens' in part ? (part.tokens ?? []) : []}
                    onPage={onPage}
                  />
                ))}
              </li>
            ))}
          </List>
        )
      }
      case 'table': {
        const { header, rows } = token as Tokens.Table
        return (
          <table
            className={cx(
              'text-s',
              '[&_td]:px-8 [&_td]:py-4 [&_td]:border-t [&_td]:border-line [&_td]:align-top',
              '[&_th]:px-8 [&_th]:text-left',
            )}
          >
            <thead>
              <tr>
                {header.map((cell) => (
                  <th key={cell.text}>{inline(cell.tokens)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row[0]?.text}>
                  {row.map((cell) => (
                    <td key={cell.text}>{inline(cell.tokens)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        )
      }
      default:
        return null
    }
  }
}

function Words({ tokens, onPage }: MarkdownProps): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: a page never changes
  return tokens.map((token, at) => <Fragment key={at}>{word(token as Tokens.Generic)}</Fragment>)

  function word(token: Tokens.Generic): ReactNode {
    const inner = <Words tokens={token.tokens ?? []} onPage={onPage} />
    switch (token.type) {
      case 'strong':
        return <strong className="font-semibold">{inner}</strong>
      case 'em':
        return <em>{inner}</em>
      case 'codespan':
        return <code className="code-s wrap-anywhere">{token.text}</code>
      case 'link': {
        // Links to pages that the window does not show become plain text: none leads out of Acuse.
        const page = pageOf(token.href)
        if (!page) return inner
        return (
          <button
            type="button"
            className="p-0 border-0 bg-transparent text-accent-text cursor-pointer hover:underline"
            onClick={() => onPage(page)}
          >
            {inner}
          </button>
        )
      }
      case 'image':
        return null
      case 'text':
        return token.tokens ? inner : token.raw
      default:
        return token.text ?? token.raw
    }
  }
}
