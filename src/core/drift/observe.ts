import type { DriftFact } from '#contract/drift.ts'
import { FACTS_KEPT, LEARNING_DELIVERIES, STEADY_DELIVERIES } from '#contract/values.ts'
import { pointerToken, pointerWalk } from '../json/pointer.ts'
import {
  ARRAY,
  afterOf,
  codeOf,
  endOf,
  isEscaped,
  type JsonTree,
  NULL,
  NUMBER,
  OBJECT,
  STRING,
  startOf,
  stringIs,
  stringOf,
} from '../json/tree.ts'
import {
  ARRAY_FORM,
  BOOLEAN,
  DECIMAL,
  FORMS,
  formatOf,
  INTEGER,
  isParticular,
  NOTHING,
  OBJECT_FORM,
  STRINGS,
} from './forms.ts'
import { type KindProfile, NONE, type Place } from './profile.ts'

/** Maximum length of a key to decode; real names are shorter, and keys may be megabytes long. */
const NAME_LENGTH = 768

/**
 * Adds one delivery to a profile and returns what it is the first to show. A place reports nothing before LEARNING_DELIVERIES have shown
 * it, so that the first day or the first invoice with withholdings does not cause many marks. Content of something new is learned but not
 * reported, since the new thing is.
 * @param at arrival, microseconds since the epoch
 */
export function observe(profile: KindProfile, tree: JsonTree, id: number, at: number): readonly DriftFact[] {
  profile.begin(id, at)
  const walk = new Walk(profile, tree)
  walk.value(profile.root, 0)
  walk.absences()
  return walk.facts
}

class Walk {
  readonly #profile: KindProfile
  readonly #tree: JsonTree
  readonly #objects: Place[] = []
  readonly facts: DriftFact[] = []
  #pointer: ((node: number) => string) | undefined

  constructor(profile: KindProfile, tree: JsonTree) {
    this.#profile = profile
    this.#tree = tree
  }

  /** Recursive: one call per level, of which a profile has a dozen at most. @returns whether this delivery had not shown it before */
  value(place: Place, node: number): boolean {
    const tree = this.#tree
    const form = this.#formOf(node)
    if (form !== place.single) this.#otherForm(place, form, node)
    const first = this.#profile.hitPlace(place)
    if (form === OBJECT_FORM) this.#object(place, node)
    else if (form === ARRAY_FORM) this.#array(place, node)
    // Booleans reveal nothing about a person, whatever the field.
    else if (form === BOOLEAN || (place.listed && form !== NOTHING))
      this.#profile.value(place, tree.text, startOf(tree, node), endOf(tree, node))
    return first
  }

  /** Call it after all values. */
  absences(): void {
    const { stamp } = this.#profile
    for (const object of this.#objects) {
      if (object.shown === object.members.length) continue
      for (const member of object.members) {
        if (member.stamp === stamp) continue
        if (member.absent >= 0) {
          this.#profile.hit(member.absent)
          continue
        }
        if (member.seen >= STEADY_DELIVERIES)
          this.#tell('gone', member, -1, member.seen, member.firstAt, () => {
            const around = this.#pointerOf(object.node)
            return `${around}/${pointerToken(member.name)}`
          })
        this.#profile.addAbsent(member)
      }
    }
  }

  #object(place: Place, node: number): void {
    const tree = this.#tree
    if (place.met !== this.#profile.stamp) {
      place.met = this.#profile.stamp
      place.shown = 0
      place.node = node
      this.#objects.push(place)
    }
    const { members } = place
    const end = afterOf(tree, node)
    let expected = 0
    for (let key = node + 1; key < end; key = afterOf(tree, key + 1)) {
      // Senders keep one order, so the member after the previous one is tried before a look-up.
      let member = members[expected]
      if (member === undefined || !stringIs(tree, key, member.name)) {
        member = this.#member(place, key)
        if (!member) continue
      }
      expected = member.index + 1
      if (this.value(member, key + 1) && member !== place.items) place.shown++
    }
  }

  #array(place: Place, node: number): void {
    const tree = this.#tree
    const end = afterOf(tree, node)
    if (node + 1 >= end) return
    const items = this.#profile.items(place)
    if (!items) return
    for (let item = node + 1; item < end; item = afterOf(tree, item)) this.value(items, item)
  }

  #member(place: Place, key: number): Place | undefined {
    const tree = this.#tree
    const length = endOf(tree, key) - startOf(tree, key)
    if (length > NAME_LENGTH) {
      this.#profile.overflow()
      return undefined
    }
    const before = place.members.length
    const member = this.#profile.member(place, stringOf(tree, key))
    if (!member) this.#profile.overflow()
    else if (place.members.length > before && !member.documented) this.#newField(place, member, key)
    return member
  }

  #newField(around: Place, member: Place, key: number): void {
    const objects = this.#profile.formCount(around, OBJECT_FORM)
    if (objects > LEARNING_DELIVERIES)
      this.#tell('new-field', member, this.#formOf(key + 1), objects - 1, around.firstAt, () =>
        this.#pointerOf(key + 1),
      )
  }

  #otherForm(place: Place, form: number, node: number): void {
    if ((place.forms[form] ?? NONE) < 0) this.#newForm(place, form, node)
    this.#profile.hitForm(place, form)
  }

  #newForm(place: Place, form: number, node: number): void {
    const before = place.seen - (place.stamp === this.#profile.stamp ? 1 : 0)
    const seen = (other: number): boolean => (place.forms[other] ?? NONE) >= 0
    if (before < LEARNING_DELIVERIES || isParticular(form, seen)) return
    const anyText = place.forms.slice(0, STRINGS).some((slot) => slot >= 0)
    const code = form === NOTHING ? 'now-null' : form < STRINGS && anyText ? 'format-changed' : 'type-changed'
    this.#tell(code, place, form, before, place.firstAt, () => this.#pointerOf(node))
  }

  #tell(
    code: DriftFact['code'],
    place: Place,
    form: number,
    seen: number,
    since: number,
    pointer: () => string,
  ): void {
    if (this.facts.length >= FACTS_KEPT) return
    const was = code === 'new-field' ? [] : FORMS.filter((_, other) => (place.forms[other] ?? -1) >= 0)
    const now = FORMS[form] ?? null
    this.facts.push({ code, pointer: pointer(), place: place.pointer, was, now, seen, since })
  }

  #pointerOf(node: number): string {
    this.#pointer ??= pointerWalk(this.#tree)
    return this.#pointer(node)
  }

  #formOf(node: number): number {
    const tree = this.#tree
    switch (codeOf(tree, node)) {
      case STRING: {
        if (!isEscaped(tree, node)) return formatOf(tree.text, startOf(tree, node) + 1, endOf(tree, node) - 1)
        const text = stringOf(tree, node)
        return formatOf(text, 0, text.length)
      }
      case NUMBER:
        return isWhole(tree.text, startOf(tree, node), endOf(tree, node)) ? INTEGER : DECIMAL
      case OBJECT:
        return OBJECT_FORM
      case ARRAY:
        return ARRAY_FORM
      case NULL:
        return NOTHING
      default:
        return BOOLEAN
    }
  }
}

function isWhole(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x2e || code === 0x65 || code === 0x45) return false
  }
  return true
}
