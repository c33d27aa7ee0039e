import type { Code } from './codes.ts'

/** A sentence per code; `{name}` stands for a parameter of the finding. A code without one does not compile. */
export type Sentences = Readonly<Record<Code, string>>
