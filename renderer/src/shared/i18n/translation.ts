/**
 * The shape a translation of `T` must have: the same keys, so that a missing or a stray one fails to compile.
 * Spanish has a plural category of its own for millions (`_many`); without it i18next would fall back to English there.
 */
export type Spanish<T> = {
  readonly [K in keyof T as K extends `${infer Base}_other` ? K | `${Base}_many` : K]: T[K] extends string
    ? string
    : Spanish<T[K]>
}
