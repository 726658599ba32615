import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';

const text = Type.String();
const count = Type.Integer();
const figure = Type.Unsafe<string | number>(Type.Unknown());

const fault = Type.Object({
  account_id: orNull(text, '`null` means that the fault belongs to no account.'),
  what: text,
  recorded: figure,
  recomputed: figure,
});

/** The result of a verification of the whole ledger. */
export const verification = Type.Object({
  accounts: count,
  entries: count,
  faults: Type.Array(fault, {
    description:
      'The inconsistencies of the ledger. Empty: the ledger is consistent. The verification ends at 1,000.',
  }),
  is_complete: Type.Boolean({
    description:
      'False if the verification ended at 1,000 faults. The rest of the ledger can have further ones.',
  }),
});

/** The result of a verification of one account. */
export const inspection = Type.Object(
  {
    account_id: text,
    quarantine: orNull(
      Type.Object({ since: time, reason: text }),
      'Why the account is not served. `null` means that it is served.',
    ),
    entries: count,
    faults: Type.Array(fault, { description: "The inconsistencies of the account's ledger." }),
  },
  { title: 'Ledger Inspection' },
);

/** The result of a repair of one account. */
export const repair = Type.Object(
  {
    account_id: text,
    entries: count,
    mended: Type.Array(fault, { description: 'The faults that the repair corrected.' }),
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
