import { isUtf8 } from 'node:buffer'
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { DATA_FIELDS, LINE_FIELDS, PERSONAL_FIELDS } from '#catalog/fields.ts'
import type { MASK_KINDS } from '#contract/transfer.ts'
import { exactText } from '#core/copy/copy.ts'
import { scanJson } from '#core/json/scan.ts'
import {
  afterOf,
  codeOf,
  endOf,
  type JsonTree,
  KEY,
  NUMBER,
  STRING,
  sourceOf,
  startOf,
  stringOf,
} from '#core/json/tree.ts'
import { createMasking, type Masking } from '#core/masking.ts'
import { KnownValues, LEAST_KNOWN } from './known.ts'

export type MaskKind = (typeof MASK_KINDS)[number]

/** Names of headers, parameters and members with personal data: the catalogue's, and those of other senders. Syntax of MASKED_NAMES. */
const PERSONAL_NAMES: readonly string[] = [
  ...PERSONAL_FIELDS,
  ...['*email', '*correo', '*phone', '*phonenumber', '*telefono', '*teléfono', '*celular', '*mobile'],
  ...['*cedula', '*cédula', '*rnc', '*taxid', '*taxidentification', '*passport', '*pasaporte', 'ssn'],
  ...['*customername', '*suppliername', '*legalname', '*fullname', '*firstname', '*lastname', '*surname'],
  ...['*commercialname', '*tradename', '*businessname', '*companyname', '*contactname', '*nombrecomercial'],
  ...['*razonsocial', '*razónsocial', 'nombre', 'nombres', 'apellido', 'apellidos', '*nombrecliente'],
  ...['*postaladdress', '*streetaddress', '*billingaddress', '*shippingaddress', '*customeraddress'],
  ...['*homeaddress', 'address', '*direccion', '*dirección', 'street', 'birthdate', '*fechanacimiento'],
]

/**
 * Values that identify a person or prove an identity, wherever they stand in a text. Each repetition has a limit, because a sender chooses
 * the text: without one, matching takes minutes or overflows the stack. `hint`: without a match, the slow pattern has none.
 */
const PATTERNS: readonly (readonly [kind: MaskKind, place: string, hint: RegExp, pattern: RegExp])[] = [
  [
    'personal',
    'e-mail address',
    /@/,
    /[\p{L}\p{N}._%+'-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,32}\p{L}{2,63}/gu,
  ],
  ['personal', 'tax id', /\d-\d/, /(?<![\w-])(?:\d{3}-\d{7}-\d|\d-?\d{2}-\d{5}-\d)(?![\w-])/g],
  [
    'personal',
    'phone',
    /8[024]9/,
    /(?<![\w.-])(?:\+?1[-. ]?)?\(?8[024]9\)?[-. ]?\d{3}[-. ]?\d{4}(?![\w.-])/g,
  ],
  ['credential', 'token', /eyJ/, /(?<![\w-])eyJ[\w-]{8,65536}\.[\w-]{1,1000000}\.[\w-]{0,1000000}/g],
  [
    'credential',
    'authorization',
    /bearer|basic|negotiate/i,
    /(?<=\b(?:bearer|basic|negotiate) )[\w+/=.~-]{8,1000000}/gi,
  ],
]
/** The beginning of a run of characters of base64, and its next piece: one pattern of a whole run of megabytes overflows the stack. */
const RUN = /[\w+/=-]{12}/g
const MORE = /[\w+/=-]{0,65536}/y
/** `name: value`, `"name": "value"`, `<name>value</name>` and the parts of a form, in texts that are no JSON. */
const NAMED: readonly RegExp[] = [
  /(?<before>"(?<name>[^"\\]{1,100})"\s*:\s*")(?<value>(?:[^"\\]|\\.){0,1000000})/g,
  /(?<before>"(?<name>[^"\\]{1,100})"\s*:\s*)(?<value>-?\d[\d.eE+-]*)/g,
  /(?<before><(?:[\w.-]+:)?(?<name>[\w.-]{1,100})(?:\s[^<>]{0,1000})?>)(?<value>[^<>]+)/g,
  /(?<before>\bname="(?<name>[^"\r\n]{1,100})"(?:\r?\n[^\r\n]+){0,100}\r?\n\r?\n)(?<value>[^\r\n]+)/g,
  /(?<before>^[ \t]*(?<name>[\p{L}_][\p{L}\p{N}_-]{0,60})[ \t]*[:=][ \t]*)(?<value>[^\r\n]+)/gmu,
]
/** `token: value` within a line. */
const SPOKEN = /(?<![\p{L}\p{N}_-])([\p{L}_][\p{L}\p{N}_-]{0,60})(\s*:\s*)([^\s,;&"'<>{}[\]]{4,1000000})/gu
const SCHEME = /^(?:bearer|basic|negotiate|digest|token)$/i
/** The byte-order mark. */
const MARK = '\ufeff'
/** Texts in texts: JSON as a string, base64 of JSON. Each level reads the content again. */
const DEEPEST = 4
const MOST_UNZIPPED = 1_048_576
const MOST_REMEMBERED = 4_096
const LONGEST_REMEMBERED = 200
/** Documented fields whose names look like those of credentials: `Code` is a product's. */
const DOCUMENTED: ReadonlySet<string> = new Set([...DATA_FIELDS.keys(), ...LINE_FIELDS.keys()])

/** The names around a value of JSON, and what they say of it. Remembered, since the bodies of a file have the same ones. */
interface Place {
  readonly name: string
  readonly kind: MaskKind | null
  readonly below: Map<string, Place>
}

export type Hit = (kind: MaskKind, place: string) => void

/** Replaces credentials and personal data in texts. Equal values get equal tokens within one file, and other tokens in the next. */
export class Scrubber {
  readonly #salt = createSecretKey(randomBytes(16))
  /** Tokens of values that came often: an HMAC takes longer than all other work on a short value. */
  readonly #tokens = new Map<string, string>()
  readonly #hit: Hit
  readonly #maskings: readonly (readonly [kind: MaskKind, masking: Masking])[]
  readonly #kinds: ReadonlySet<MaskKind>
  readonly #root: Place = { name: '', kind: null, below: new Map() }
  #places = 0
  /** Of the present delivery. */
  #known = new KnownValues<MaskKind>()

  /** @param names of credentials, from `maskedNamesOf` @param kinds to mask */
  constructor(names: readonly string[], kinds: readonly MaskKind[], hit: Hit) {
    this.#hit = hit
    this.#kinds = new Set(kinds)
    const lists = { credential: names, personal: PERSONAL_NAMES }
    this.#maskings = kinds.map((kind) => [
      kind,
      createMasking(
        () => lists[kind],
        (value) => this.#token(percentDecoded(value), kind, 'parameter'),
      ),
    ])
  }

  /** Call before each delivery. */
  begin(): void {
    this.#known = new KnownValues()
  }

  /** Remembers a value to replace wherever it occurs in the present delivery. */
  know(value: string, kind: MaskKind): void {
    if (this.#kinds.has(kind)) this.#known.add(value, kind)
  }

  /** The kind of value that a header, parameter or member of this name has; null for a plain one. */
  kindOf(name: string): MaskKind | null {
    return this.#maskings.find(([, masking]) => masking.names(name))?.[0] ?? null
  }

  token(value: string, kind: MaskKind, place: string): string {
    return value === '' ? value : this.#token(value, kind, place)
  }

  /** @param name of a header */
  header(name: string, value: string): string {
    const inParameters = (masking: Masking) => masking.target(`?${value}`) !== `?${value}`
    const found = this.#maskings.find(([kind, masking]) =>
      // A value with a scheme, such as `Bearer …`, is a credential under any name, and no personal data.
      kind === 'credential'
        ? masking.header({ name, value }).masked
        : masking.names(name) || inParameters(masking),
    )
    if (!found) return this.text(value)
    const [kind, masking] = found
    if (masking.names(name) || !inParameters(masking)) return this.token(value, kind, `header ${name}`)
    // Only parameters in the value are secret.
    return this.text(value)
  }

  /** @param text a request target */
  target(text: string): string {
    return this.text(text)
  }

  /** @param text the head of a request that could not be parsed */
  head(text: string): string {
    return this.text(this.#maskings.reduce((masked, [, masking]) => masking.head(masked), text))
  }

  /** Remembers the values that stand under names to mask. @param body JSON or other text */
  learn(body: string): void {
    const tree = scanJson(body.startsWith(MARK) ? body.slice(1) : body)
    if ('problem' in tree)
      this.#named(body, (value, kind) => {
        this.know(value, kind)
        return value
      })
    else
      this.#eachScalar(tree, (node, { kind }) => {
        if (kind !== null) this.know(plainOf(tree, node), kind)
      })
  }

  /** Masks a body: JSON keeps every byte outside of the masked values. */
  body(text: string, depth = 0): string {
    if (text.startsWith(MARK)) return MARK + this.body(text.slice(1), depth)
    const tree = scanJson(text)
    if ('problem' in tree)
      return this.text(
        this.#named(text, (value, kind, name) => this.token(value, kind, `field ${name}`)),
        depth,
      )
    const parts: string[] = []
    let at = 0
    const put = (node: number, masked: string) => {
      parts.push(text.slice(at, startOf(tree, node)), JSON.stringify(masked))
      at = endOf(tree, node)
    }
    this.#eachScalar(
      tree,
      (node, { name, kind }) => {
        const plain = plainOf(tree, node)
        if (kind !== null && (codeOf(tree, node) === STRING || codeOf(tree, node) === NUMBER))
          put(node, this.token(plain, kind, `field ${name}`))
        else if (codeOf(tree, node) === STRING) {
          const masked = this.#nested(plain, depth)
          if (masked !== plain) put(node, masked)
        } else if (codeOf(tree, node) === NUMBER && this.#known.has(plain)) put(node, this.text(plain, depth))
      },
      (key) => {
        const plain = stringOf(tree, key)
        const masked = this.text(plain, depth)
        if (masked !== plain) put(key, masked)
      },
    )
    parts.push(text.slice(at))
    return parts.join('')
  }

  /** Masks values by their form, those known from elsewhere in the delivery, parameters, and base64 of any of these. */
  text(text: string, depth = 0): string {
    if (text.length < LEAST_KNOWN) return text
    let masked = this.#known.replace(text, (value, kind) =>
      this.#token(value, kind, 'value known from a field'),
    )
    if (depth < DEEPEST && /%(?:7b|5b)/i.test(masked))
      masked = masked.replace(/[^\s&=?#"<>]{8,1000000}/g, (value) => this.#percent(value, depth + 1))
    if (/[=@]/.test(masked))
      for (const [, masking] of this.#maskings)
        masked = /^\/|:\/\//.test(masked) ? masking.target(masked) : masking.target(`?${masked}`).slice(1)
    for (const [kind, place, hint, pattern] of PATTERNS)
      if (this.#kinds.has(kind) && hint.test(masked))
        masked = masked.replace(pattern, (value) => this.#token(value, kind, place))
    if (this.#kinds.has('credential') && masked.includes(':'))
      masked = masked.replace(SPOKEN, (all: string, name: string, between: string, value: string) =>
        this.#secret(name) && !SCHEME.test(value)
          ? `${name}${between}${this.#token(value, 'credential', `field ${name}`)}`
          : all,
      )
    return depth >= DEEPEST ? masked : this.#runs(masked, depth + 1)
  }

  /** Masks each whole run of characters that is base64 or base64url. */
  #runs(text: string, depth: number): string {
    let written = ''
    let from = 0
    RUN.lastIndex = 0
    for (let found = RUN.exec(text); found; found = RUN.exec(text)) {
      MORE.lastIndex = RUN.lastIndex
      while (MORE.test(text) && MORE.lastIndex > RUN.lastIndex) RUN.lastIndex = MORE.lastIndex
      const end = RUN.lastIndex
      const run = text.slice(found.index, end)
      const digits = run.replace(/={1,2}$/, '')
      if (digits.length >= 12 && !(/[^A-Za-z0-9+/]/.test(digits) && /[^\w-]/.test(run)))
        written += text.slice(from, found.index) + this.#base64(run, depth)
      else continue
      from = end
      RUN.lastIndex = end
    }
    return written + text.slice(from)
  }

  #nested(text: string, depth: number): string {
    return depth < DEEPEST && /^\s*[[{]/.test(text) ? this.body(text, depth + 1) : this.text(text, depth)
  }

  /** JSON as the value of a form or a query, as several services send it. */
  #percent(text: string, depth: number): string {
    const plain = percentDecoded(text)
    const masked = /^\s*[[{]/.test(plain) ? this.body(plain, depth) : plain
    return masked === plain ? text : encodeURIComponent(masked.toWellFormed())
  }

  #base64(text: string, depth: number): string {
    const bytes = Buffer.from(text, text.includes('-') || text.includes('_') ? 'base64url' : 'base64')
    const zipped = bytes[0] === 0x1f && bytes[1] === 0x8b
    // Nearly every word and id: a decoder that throws takes a hundred times longer.
    if (!zipped && !isUtf8(bytes)) return text
    const plain = zipped ? unzipped(bytes) : exactText(bytes)
    if (plain === null || /(?![\t\n\r])\p{Cc}/u.test(plain)) return text
    const masked = this.body(plain, depth)
    if (masked === plain) return text
    const written = Buffer.from(masked)
    return (zipped ? gzipSync(written) : written).toString('base64')
  }

  /**
   * The place below another one. Its kind is that of the outermost name to mask: everything inside of a member named `customerAddress` is
   * part of the address. `name` is a customer's within `customer` and `customers`.
   */
  #below(around: Place, name: string): Place {
    const known = around.below.get(name)
    if (known) return known
    const names = [name, around.name.replace(/s$/, '') + name]
    const ownKind = names.some((one) => this.kindOf(one) === 'personal')
      ? 'personal'
      : this.#secret(name)
        ? 'credential'
        : null
    const place: Place = { name, kind: around.kind ?? ownKind, below: new Map() }
    if (name.length > LONGEST_REMEMBERED) return place
    if (++this.#places > MOST_REMEMBERED) {
      this.#places = 0
      this.#root.below.clear()
    }
    around.below.set(name, place)
    return place
  }

  /** Visits each value that is no container, with its place; and each key. */
  #eachScalar(
    tree: JsonTree,
    visit: (node: number, place: Place) => void,
    visitKey: (key: number) => void = () => {},
  ): void {
    const around: { readonly place: Place; readonly end: number }[] = []
    let place = this.#root
    for (let node = 0; node < tree.count; node++) {
      while ((around.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= node) {
        around.pop()
        place = around.at(-1)?.place ?? this.#root
      }
      const code = codeOf(tree, node)
      if (code === KEY) {
        visitKey(node)
        place = this.#below(place, stringOf(tree, node))
        around.push({ place, end: afterOf(tree, node + 1) })
      }
      if (code === STRING || (code >= NUMBER && code < KEY)) visit(node, place)
    }
  }

  #secret(name: string): boolean {
    return this.kindOf(name) === 'credential' && !DOCUMENTED.has(name)
  }

  #named(text: string, mask: (value: string, kind: MaskKind, name: string) => string): string {
    return NAMED.reduce(
      (masked, pattern) =>
        masked.replace(pattern, (all: string, ...rest: unknown[]) => {
          const { before = '', name = '', value = '' } = rest.at(-1) as Record<string, string | undefined>
          const kind = this.kindOf(name)
          return kind === null || (kind === 'credential' && DOCUMENTED.has(name))
            ? all
            : `${before}${mask(value, kind, name)}`
        }),
      text,
    )
  }

  #token(value: string, kind: MaskKind, place: string): string {
    if (TOKEN.test(value)) return value
    this.#hit(kind, place)
    const plain = value.trim()
    const known = this.#tokens.get(plain)
    if (known !== undefined) return known
    const token = `masked-${createHmac('sha256', this.#salt).update(plain).digest('hex').slice(0, 12)}`
    if (this.#tokens.size >= MOST_REMEMBERED) this.#tokens.clear()
    // A body of megabytes under a name to mask must not stay in memory.
    if (plain.length <= LONGEST_REMEMBERED) this.#tokens.set(plain, token)
    return token
  }
}

const TOKEN = /^masked-[0-9a-f]{12}$/

const plainOf = (tree: JsonTree, node: number): string =>
  codeOf(tree, node) === STRING ? stringOf(tree, node) : sourceOf(tree, node)

function percentDecoded(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '))
  } catch {
    return value
  }
}

function unzipped(bytes: Buffer): string | null {
  try {
    return exactText(gunzipSync(bytes, { maxOutputLength: MOST_UNZIPPED }))
  } catch {
    return null
  }
}
