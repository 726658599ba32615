import { codeOfError } from '../../base/lib/error-code.ts';
import { lookUp } from '../../base/lib/records.ts';

/** The reason that nothing can listen on an address. `message` follows the address in a sentence. */
export type ListenFault = { message: string; usualMend: string };

/** The wording for each code of the operating system. */
const faults: Readonly<Record<string, ListenFault>> = {
  EADDRINUSE: {
    message: 'is in use by another program',
    usualMend: 'stop that program, or choose another --port',
  },
  EACCES: { message: 'needs more privileges', usualMend: 'choose a --port of 1024 or above' },
  EADDRNOTAVAIL: { message: 'is not an address of this machine', usualMend: 'choose another --host' },
  ENOTFOUND: { message: 'is not a known address', usualMend: 'choose another --host' },
};

/** Returns the fault for a code of the operating system. */
export const listenFaultOfCode = (code: string): ListenFault =>
  lookUp(faults, code) ?? {
    message: `is not available for listening (${code})`,
    usualMend: 'choose another --port or --host',
  };

/** Returns the fault for an error of listening. Undefined if the error has no code. */
export function listenFaultOf(error: unknown): ListenFault | undefined {
  const code = codeOfError(error);
  return code === undefined ? undefined : listenFaultOfCode(code);
}
