import { messageOfError } from '../../../base/lib/message-of-error.ts';
import type { Check, DoctorInput } from './check.ts';
import { type Finding, warn } from './finding.ts';

/** Runs a check. A check that fails itself, for example on a full disk, does not hide the other findings. */
export async function attemptCheck(check: Check, input: DoctorInput): Promise<Finding[]> {
  try {
    return await check(input);
  } catch (error) {
    const message = `a check did not run: ${messageOfError(error)}`;
    return [warn('doctor', message, 'check the permissions and the disk space of the server')];
  }
}
