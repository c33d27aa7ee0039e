/** The part of archive.mjs that the tests use. */
export declare function verifyArchive(
  archive: string,
  expected?: string,
): { readonly hash: string; readonly files: readonly string[] }
