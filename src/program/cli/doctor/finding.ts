import type { Config } from '../../../settings/config/config-schema.ts';
import type { Terminal } from '../terminal.ts';

/** One line of what the doctor says. `mend`: what to do about it. */
export type Finding = {
  check: string;
  status: 'ok' | 'warn' | 'fail';
  message: string;
  mend: string | null;
};

export type DoctorInput = { config: Config; environment: Terminal['environment'] };

/** Looks at one side of the installation. */
export type Check = (surroundings: DoctorInput) => Finding[] | Promise<Finding[]>;

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message, mend: null });

export const warn = (check: string, message: string, mend: string): Finding => ({
  check,
  status: 'warn',
  message,
  mend,
});

export const fail = (check: string, message: string, mend: string): Finding => ({
  check,
  status: 'fail',
  message,
  mend,
});
