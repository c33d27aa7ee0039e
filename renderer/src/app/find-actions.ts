export interface Findable {
  readonly label: string
  /** Synonyms, including the name in the other language. */
  readonly also: string
}

/** Normalizes text for comparison: lower case, no accents, other characters as spaces. */
export const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Whether the word contains the letters in this order and begins with the first one. */
function inOrder(letters: string, word: string): boolean {
  if (letters.length < 2 || letters[0] !== word[0]) return false
  let at = 0
  for (const letter of word) if (letter === letters[at]) at += 1
  return at === letters.length
}

/** How well a typed word matches the best of these: a prefix scores highest, then a substring, then letters in order; 0 for no match. */
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

/** Score of an item for the typed text; 0 when any typed word has no match. The label counts twice; its initials count as a word. */
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

/** Items that match the typed text, best first; ties by last use, then in the given order. All items when the text is empty. */
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
