import { type FieldSpec, PERSONAL_FIELDS } from '#catalog/fields.ts'
import type { Kind } from '#catalog/kinds.ts'
import type { Header } from '#contract/delivery.ts'
import { MASK_KINDS } from '#contract/transfer.ts'
import { documentedField } from '#core/drift/documented.ts'
import { pointerToken } from '#core/json/pointer.ts'
import {
  ARRAY,
  afterOf,
  codeOf,
  type JsonTree,
  NUMBER,
  OBJECT,
  STRING,
  sourceOf,
  stringOf,
} from '#core/json/tree.ts'
import { MASKED_NAMES } from '#core/masking.ts'
import { Scrubber } from '#interop/mask/scrub.ts'

/** Headers whose values frame or describe a message. Values of all others may be secrets. */
const SHOWN_HEADERS: ReadonlySet<string> = new Set([
  ...[
    'accept',
    'accept-encoding',
    'connection',
    'content-encoding',
    'content-length',
    'content-type',
    'date',
  ],
  ...['expect', 'host', 'transfer-encoding', 'user-agent'],
])

/** Encoded or random: a token, a key, base64 of anything. */
const ENCODED = /(?<![\w+/=-])[A-Za-z0-9+/_]{24,}={0,2}(?![\w+/=-])/g
/** Forms of values that a sender may get wrong; another form in their place may be anything, so it is masked. */
export const FORMS = {
  id: /^[\da-f{}-]{1,60}$/i,
  number: /^[\d.eE+-]{1,20}$/,
  date: /^[\d\s:.,+TZWtz-]{1,60}$/,
  event: /^[A-Za-z_]{1,40}(?:\.[A-Za-z_]{1,40}){0,3}$/,
  /** Of words of Acuse itself; any other filter may name a person or a credential. */
  filter: /^(?:-?(?:kind|group|verdict|is|finding|endpoint|method|answer|size):[\w.*,<>-]{1,60}(?:\s+|$))*$/,
} as const

/** Whether a value of a documented field holds no personal data. */
function isPlain(field: FieldSpec | undefined, value: string): boolean {
  if (field === undefined || PERSONAL_FIELDS.has(field.name)) return false
  if (field.type === 'uuid') return FORMS.id.test(value)
  if (field.type === 'integer') return FORMS.number.test(value)
  if (field.name === 'Timestamp') return FORMS.date.test(value)
  if (field.name === 'Event') return FORMS.event.test(value)
  return field.type === 'unknown' && field.name !== 'data'
}

const LONGEST_TEXT = 300
const LONGEST_KEY = 100
/** Members or elements of one container, and characters of a body, that an answer holds. */
const MOST_INSIDE = 40
const MOST_BODY = 24_000

/**
 * Masks what a tool answers. Of captured content it shows only values of documented fields without personal data: other fields, headers and
 * parameters may hold anything. The scrubber of exports masks what it shows. Equal values get equal tokens while the process runs.
 */
export class AnswerMask {
  readonly #scrubber = new Scrubber(MASKED_NAMES, MASK_KINDS, () => {})

  token(value: string): string {
    return this.#scrubber.token(value, 'personal', '')
  }

  personal(value: string | null): string | null {
    return value === null || value === '' ? value : this.token(value)
  }

  /** A text without e-mail addresses, tax ids, phones and credentials, cut to a few hundred characters. */
  text(value: string): string {
    const masked = this.#scrubber
      .text(value.slice(0, LONGEST_TEXT * 2))
      .replace(ENCODED, (found) => this.token(found))
    return masked.length > LONGEST_TEXT ? `${masked.slice(0, LONGEST_TEXT)}…` : masked
  }

  /** A value of a form in which senders get it wrong, else its token. */
  formed(value: string | null, form: RegExp): string | null {
    return value === null || form.test(value) ? value : this.token(value)
  }

  textOrNull(value: string | null): string | null {
    return value === null ? null : this.text(value)
  }

  /** A request target: its path, and the names of its parameters. */
  target(url: string): string {
    const [path = '', ...query] = url.split(/[?#]/)
    const names = query.join('&').split('&').filter(Boolean)
    const shown = names.slice(0, MOST_INSIDE).map((part) => `${this.text(part.split('=')[0] ?? '')}=…`)
    return `${this.text(path)}${shown.length > 0 ? `?${shown.join('&')}` : ''}`
  }

  /** @param header with `masked` its value is a description, which stays */
  header({ name, value, masked }: Header): readonly [name: string, value: string] {
    if (masked) return [this.text(name), `masked, ${value}`]
    return [this.text(name), SHOWN_HEADERS.has(name.toLowerCase()) ? this.text(value) : this.token(value)]
  }

  /** @returns masked JSON with the digits of the numbers as sent, cut where it is long */
  body(tree: JsonTree, kind: Kind | null): string {
    this.#scrubber.begin()
    const hidden = (value: string) => {
      this.#scrubber.know(value, 'personal')
      return this.token(value)
    }
    try {
      // The first pass learns the masked values, which may stand under another name too; the second writes.
      new MaskedBody(this, tree, kind, hidden).text()
      return new MaskedBody(this, tree, kind, hidden).text()
    } finally {
      this.#scrubber.begin()
    }
  }
}

/** The masked text of one body. */
class MaskedBody {
  readonly #mask: AnswerMask
  readonly #tree: JsonTree
  readonly #kind: Kind | null
  readonly #hidden: (value: string) => string
  #written = 0

  constructor(mask: AnswerMask, tree: JsonTree, kind: Kind | null, hidden: (value: string) => string) {
    this.#mask = mask
    this.#tree = tree
    this.#kind = kind
    this.#hidden = hidden
  }

  text(): string {
    return this.#value(0, '')
  }

  #value(node: number, place: string): string {
    const tree = this.#tree
    const code = codeOf(tree, node)
    if (code === OBJECT) return `{${this.#inside(node, place, true)}}`
    if (code === ARRAY) return `[${this.#inside(node, place, false)}]`
    const source = sourceOf(tree, node)
    if (code !== STRING && code !== NUMBER) return source
    const value = code === STRING ? stringOf(tree, node) : source
    const field = this.#kind === null ? undefined : documentedField(this.#kind, place)
    if (!isPlain(field, value)) return JSON.stringify(this.#hidden(value))
    const shown = this.#mask.text(value)
    return code === NUMBER && shown === value ? value : JSON.stringify(shown)
  }

  #inside(container: number, place: string, named: boolean): string {
    const tree = this.#tree
    const end = afterOf(tree, container)
    const parts: string[] = []
    for (let at = container + 1; at < end; at = afterOf(tree, named ? at + 1 : at)) {
      if (parts.length >= MOST_INSIDE || this.#written > MOST_BODY) {
        parts.push(named ? '"…":"more members"' : '"… more elements"')
        break
      }
      const name = named ? stringOf(tree, at) : '*'
      const inner = `${place}/${pointerToken(name)}`
      const key = named ? `${JSON.stringify(this.#mask.text(name).slice(0, LONGEST_KEY))}:` : ''
      const part = `${key}${this.#value(named ? at + 1 : at, inner)}`
      this.#written += part.length
      parts.push(part)
    }
    return parts.join()
  }
}
