import { InvalidArgumentError } from 'commander'

/** For settings that an option can switch on or off, and leaves alone when it is not given. */
export function yesNo(text: string): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes'
  throw new InvalidArgumentError('Give yes or no.')
}
