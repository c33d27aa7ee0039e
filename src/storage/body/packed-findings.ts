import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Finding } from '#contract/delivery.ts'
import { asBuffer } from './stored-body.ts'

/**
 * Findings as they are stored. A service that leaves fields out gives every delivery the same dozens of notes, which would take more
 * room than the delivery itself; compressed they take a tenth.
 */
export function packFindings(findings: readonly Finding[]): Uint8Array {
  return zstdCompressSync(JSON.stringify(findings))
}

/** @param packed what packFindings gave, or null for none */
export function unpackFindings(packed: unknown): readonly Finding[] {
  return packed === null ? [] : (JSON.parse(zstdDecompressSync(asBuffer(packed)).toString()) as Finding[])
}
