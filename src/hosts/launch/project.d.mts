/** The part of project.mjs that typed code uses: the bench starts the engine as the launchers do. */
export declare const LEAN: {
  readonly flags: readonly string[]
  readonly env: Readonly<Record<string, string>>
}
