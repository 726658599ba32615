import type { Migration } from '../migration.ts';

/** What finds a submission at its provider if the provider's answer was lost. */
export const submissionMarks: Migration = {
  number: 23,
  name: 'submission-marks',
  sql: `
    ALTER TABLE native_submission ADD COLUMN mark TEXT;
    ALTER TABLE native_submission ADD COLUMN sent_at INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE native_submission ADD COLUMN size INTEGER NOT NULL DEFAULT 0;
  `,
};
