import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { orNull } from './admin-answers.ts';
import { repairBody } from './ledger-bodies.ts';
import { faultSchema } from './ledger-descriptions.ts';

const credits = { group: 'Admin: credits', key: 'admin' } as const;
const text = Type.String();
const count = Type.Integer();

const inspection = Type.Object(
  {
    account_id: text,
    quarantine: orNull(
      Type.Object({ since: time, reason: text }),
      'Why the account is not served. Null: it is served.',
    ),
    entries: count,
    faults: Type.Array(faultSchema, { description: "The inconsistencies of the account's ledger." }),
  },
  { title: 'Ledger Inspection' },
);

const repair = Type.Object(
  {
    account_id: text,
    entries: count,
    mended: Type.Array(faultSchema, { description: 'The faults that the repair corrected.' }),
    added: Type.Array(
      Type.Object({
        id: text,
        balance: Type.Enum(['monthly', 'purchased']),
        microcredits: count,
        reason: orNull(text),
      }),
      { description: 'The adjustments that the repair added.' },
    ),
  },
  { title: 'Ledger Repair' },
);

/** Describes the routes that inspect and repair ledgers. */
export const repairDescriptions = {
  inspect: {
    ...credits,
    summary: "Verifies an account's balances and hashes against its entries, and shows its quarantine",
    answer: 'The faults and the quarantine.',
    answerSchema: inspection,
    errors: ['not_found'],
  },
  repair: {
    ...credits,
    summary:
      "Recomputes an account's balances from its entries, accepts damaged entries, and ends its quarantine",
    body: repairBody.schema,
    bodyExample: { keep_balances: true },
    answer: 'The faults that were corrected, and the adjustments that were added.',
    answerSchema: repair,
    errors: ['not_found', 'conflict'],
  },
  repairStore: {
    ...credits,
    summary: 'Accepts broken seals that belong to no account, and removes tampered holds',
    answer: 'The number of tampered holds that were removed.',
    answerSchema: Type.Object({ removed_holds: count }),
  },
} satisfies Record<string, RouteDescription>;
