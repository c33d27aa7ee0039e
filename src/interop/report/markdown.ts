import type { Report } from './model.ts'
import { type Block, outline } from './outline.ts'
import { shown } from './words.ts'

/** GitHub's Markdown, which others read as well. No text of a document can become markup, a link or another cell. */
export function reportMarkdown(report: Report): string {
  const { title, subtitle, blocks } = outline(report)
  const parts = blocks.flatMap((block) => markdownOf(block) ?? [])
  return [`# ${escaped(title)}`, escaped(subtitle), ...parts, ''].join('\n\n')
}

function markdownOf(block: Block): string | undefined {
  switch (block.type) {
    case 'figures':
    case 'days':
      return undefined
    case 'heading':
      return `${'#'.repeat(block.level)} ${escaped(block.text)}`
    case 'text':
      return escaped(block.text)
    case 'warning':
      return `**${escaped(block.text)}**`
    case 'facts':
      return block.facts.map(([name, value]) => `* ${escaped(name)}: ${escaped(value)}`).join('\n')
    case 'list':
      return block.texts.map((text) => `* ${escaped(text)}`).join('\n')
    case 'table': {
      const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`
      const names = block.columns.flatMap(({ title, parts = [title] }) => parts)
      const rows = block.rows.map((cells) => line(cells.flat().map((lines) => lines.join('; '))))
      return [line(names), `|${' --- |'.repeat(names.length)}`, ...rows].join('\n')
    }
  }
}

/**
 * Every mark with a meaning gets a backslash, `<` and `&` become entities. Addresses are links for GitHub without any mark, so their colon
 * and dot are entities too, and an empty comment parts those of mail.
 */
const escaped = (text: string): string =>
  shown(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[\\`*_{}[\]()#+!|~^$]/g, '\\$&')
    .replace(/:\/\//g, '&#58;//')
    .replace(/\bwww\./gi, (www) => `${www.slice(0, -1)}&#46;`)
    .replace(/@/g, '<!-- -->@')
