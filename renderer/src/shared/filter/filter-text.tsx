import type { Ref } from 'react'
import type { Problem } from '#core/filter/problem.ts'
import { type Token, tokenize } from '#core/filter/tokens.ts'

interface Piece {
  readonly start: number
  readonly text: string
  readonly style: string | undefined
}

/** The part of a field's token up to and with its colon. */
const nameEnd = (token: Extract<Token, { type: 'field' }>): number => token.start + token.name.length + 1

function styleOf(token: Token): string | undefined {
  if (token.type === 'minus') return 'text-invalid'
  if (token.type === 'open' || token.type === 'close') return 'text-fg-3'
  if (token.type === 'word' && /^(and|or|not)$/i.test(token.text)) return 'text-unreadable'
  return token.type === 'quoted' || token.type === 'regex' ? 'text-valid' : undefined
}

/** The text cut where its colour changes; joined, the pieces are the text again, character by character. */
function pieces(text: string): Piece[] {
  const result = tokenize(text)
  if (!result.ok) return [{ start: 0, text, style: undefined }]
  const cut: Piece[] = []
  let at = 0
  const add = (end: number, style: string | undefined) => {
    if (end > at) cut.push({ start: at, text: text.slice(at, end), style })
    at = Math.max(at, end)
  }
  for (const token of result.tokens) {
    add(token.start, undefined)
    if (token.type === 'field') add(nameEnd(token), 'text-accent-text')
    add(token.end, styleOf(token))
  }
  add(text.length, undefined)
  return cut
}

export interface FilterTextProps {
  readonly ref: Ref<HTMLDivElement>
  readonly text: string
  readonly problem: Problem | null
  readonly className: string
}

/** The filter's text in colours, to lie exactly under the field that is typed in. Nothing of it is there for assistive technology. */
export function FilterText({ ref, text, problem, className }: FilterTextProps) {
  return (
    <div ref={ref} className={className} aria-hidden="true">
      {pieces(text).map((piece) => (
        <span key={piece.start} className={piece.style}>
          {piece.text}
        </span>
      ))}
      {problem ? (
        <div className="absolute top-0 left-0 text-transparent whitespace-pre">
          {text.slice(0, problem.at)}
          <span className="underline decoration-wavy decoration-invalid decoration-1 underline-offset-3 [text-decoration-skip-ink:none]">
            {text.slice(problem.at, problem.at + Math.max(1, problem.length)) || ' '}
          </span>
        </div>
      ) : null}
    </div>
  )
}
