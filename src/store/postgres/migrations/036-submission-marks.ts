import type { PostgresMigration } from '../migration.ts';

/** What finds a submission at its provider if the provider's answer was lost. */
export const submissionMarks: PostgresMigration = {
  number: 36,
  name: 'submission-marks',
  sql: `
    ALTER TABLE native_submission
      ADD COLUMN mark text,
      ADD COLUMN sent_at bigint NOT NULL DEFAULT 0,
      ADD COLUMN size integer NOT NULL DEFAULT 0
  `,
};
