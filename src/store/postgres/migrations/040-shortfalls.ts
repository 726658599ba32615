import type { PostgresMigration } from '../migration.ts';
import { editFunction } from './edit-function.ts';

/** Charges below their list cost, by entry, and the accounts whose hosted tools are stopped because of them. */
export const shortfalls: PostgresMigration = {
  number: 40,
  name: 'shortfalls',
  sql: `
    ALTER TABLE account ADD COLUMN hosted_tools_stopped boolean NOT NULL DEFAULT false
    --;
    CREATE TABLE shortfall (
      entry_id text PRIMARY KEY,
      account_id text NOT NULL,
      at bigint NOT NULL,
      microcredits bigint NOT NULL
    )
    --;
    CREATE INDEX shortfall_by_account ON shortfall (account_id, at)
    --;
    ${editFunction('post_entries', [
      [
        `          IF p.rs IS NOT NULL THEN responses := responses || i; END IF;
`,
        `          IF bound IS NOT NULL THEN
            INSERT INTO shortfall (entry_id, account_id, at, microcredits)
              VALUES (entry_id, p.ac, p.at, cost - amount) ON CONFLICT DO NOTHING;
          END IF;
          IF p.rs IS NOT NULL THEN responses := responses || i; END IF;
`,
      ],
    ])}
  `,
};
