import project from '../../../package.json' with { type: 'json' }

/** The version of this Acuse. */
export const VERSION: string = project.version
