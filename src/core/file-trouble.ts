import { AcuseError, messageOf } from '#contract/errors.ts'

export const TROUBLES: Readonly<Record<string, string>> = {
  EACCES: 'Acuse may not, for want of permission; allow it',
  EPERM: 'the system does not allow it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file and no folder',
  EEXIST: 'a file of that name is in the way',
  EROFS: 'it lies where nothing can be written',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk space allowed to you is used up',
  EFBIG: 'it would be too large',
  ERR_FS_FILE_TOO_LARGE: 'it is too large to be read at once',
  ERR_STRING_TOO_LONG: 'it is too large to be read at once',
  ENAMETOOLONG: 'its name is too long',
  ERR_INVALID_ARG_VALUE: 'that is no name of a file',
  ELOOP: 'its links lead in a circle',
  EBUSY: 'another program holds it',
  ETXTBSY: 'another program holds it',
  EMFILE: 'too many files are open; try again',
  ENFILE: 'too many files are open; try again',
  EIO: 'the disk fails',
  ENXIO: 'it is no file that can be read',
}

/** The `code` of a Node system error; empty for anything else. */
export const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** Describes a file error in words, without a full stop; unknown codes give the system's message. */
export function fileTrouble(error: unknown, wanted: 'read' | 'written' = 'read'): string {
  const code = systemCode(error)
  if (code === 'ENOENT') return wanted === 'read' ? 'there is no such file' : 'there is no such folder'
  return TROUBLES[code] ?? messageOf(error)
}

export const ownFileTrouble = (path: string, wanted: 'read' | 'written', error: unknown): AcuseError =>
  new AcuseError('store-failed', `${path} cannot be ${wanted}: ${fileTrouble(error, wanted)}.`)
