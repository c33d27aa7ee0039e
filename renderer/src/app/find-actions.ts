export interface Findable {
  readonly label: string
  /** Other words for it, the other language's name among them. */
  readonly also: string
}

/** Letters as they are compared: without case and accents, anything else a space. */
export const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Whether the letters come in this order, the first of them first. */
function inOrder(letters: string, word: string): boolean {
  if (letters.length < 2 || letters[0] !== word[0]) return false
  let at = 0
  for (const letter of word) if (letter === letters[at]) at += 1
  return at === letters.length
}

/** How well a typed word fits one of these: its beginning best, then a part of it, then its letters in order; 0 for not at all. */
function closeness(typed: string, words: readonly string[]): number {
  let best = 0
  for (const word of words) {
    if (word === typed) return 5
    if (word.startsWith(typed)) best = Math.max(best, 4)
    else if (typed.length > 1 && word.includes(typed)) best = Math.max(best, 2)
    else if (inOrder(typed, word)) best = Math.max(best, 1)
  }
  return best
}

/** How well what was typed names something; 0 when a typed word fits nowhere. The label counts twice, and its initials count as a word of it. */
export function scoreOf(typed: string, { label, also }: Findable): number {
  const named = plain(label).split(' ')
  const initials = named.map((word) => word[0] ?? '').join('')
  const others = plain(also).split(' ')
  let score = 0
  for (const word of plain(typed).split(' ')) {
    const fits = Math.max(
      2 * closeness(word, named),
      word.length > 1 && initials.startsWith(word) ? 5 : 0,
      closeness(word, others),
    )
    if (fits === 0) return 0
    score += fits
  }
  return score
}

/** What the typed text names, best first; of equals those used last, then as they stand. All of it when nothing is typed. */
export function found<T extends Findable & { readonly id: string }>(
  typed: string,
  all: readonly T[],
  recent: readonly string[],
): readonly T[] {
  if (plain(typed) === '') return all
  const since = ({ id }: T) => (recent.includes(id) ? recent.indexOf(id) : recent.length)
  return all
    .map((item, at) => ({ item, at, score: scoreOf(typed, item) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || since(a.item) - since(b.item) || a.at - b.at)
    .map(({ item }) => item)
}
