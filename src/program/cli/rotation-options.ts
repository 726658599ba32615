import type { Option } from './command.ts';
import type { Invocation } from './invocation.ts';

/** The options of a command that replaces a secret. */
export const rotationOptions = {
  overlap: {
    kind: 'number',
    integer: true,
    minimum: 0,
    maximum: 90 * 86_400,
    placeholder: 'SECONDS',
    summary: 'Time for which the replaced secret stays valid (default 0)',
  },
} as const satisfies Record<string, Option>;

/** The option for the end of a key or a token. */
export const expiryOption = {
  kind: 'text',
  placeholder: 'TIME',
  summary: 'Time of expiry, for example 2027-12-31 or 2027-12-31T18:00Z (default: never)',
} as const satisfies Option;

/** Returns the body of a rotation. */
export const rotationOf = (invocation: Invocation): { overlap_s: number } => ({
  overlap_s: invocation.number('overlap') ?? 0,
});
