import type { Snapshot } from '../../../settings/snapshot/snapshot.ts';
import { type Html, html, prose } from '../html.ts';
import { block, section } from '../section.ts';

const rules = ({
  paymentMode,
  monthlyUsedPercent: usedPercent,
  requestId,
}: Snapshot['names']['header']): readonly [title: string, text: string][] => [
  [
    'What a request costs',
    'One credit is 0.002 USD at the rate that `/v1/models` lists: input, input from a cache at its own rate where there is one, and output, hidden reasoning included. It is counted in millionths of a credit and rounded up once. What failed costs nothing; an answer that you broke off costs what had been produced.',
  ],
  [
    'Monthly credits',
    `They renew with each cycle, on the day of the month on which the plan began, and what is left does not go over. From the last one on the answer is \`402 allowance_exhausted\` with \`resets_at\`; what is under way then finishes. \`${usedPercent}\` on every answer says how much is used.`,
  ],
  [
    'Free',
    'Its credits are given once (`402 credit_used_up`), with so many tokens a day in UTC (`402 token_allowance_exhausted`) and prompts up to a length (`400 input_exceeds_plan`).',
  ],
  [
    'Changing the plan',
    "A dearer one acts at once and keeps the cycle's dates and what was used of it; a cheaper one acts at the renewal.",
  ],
  [
    'Purchased credit',
    `A balance of its own that never expires, spent in pay-as-you-go mode only: with \`${paymentMode}: payg\`, by a key that is set to it, or on an account without a plan. There every model can be had. What a request may cost is held before it goes out, so the balance never falls below nothing; who names no \`max_tokens\` gets an answer as long as can be paid.`,
  ],
  [
    "A key's cap",
    'A key can have a cap in USD for each calendar month (UTC), which counts in both modes. When it is reached, requests are refused with `402 key_budget_exhausted`. The cap bounds the key and is no discount: monthly credits pay for an answer in full, even if it costs more than the cap had left.',
  ],
  [
    'Receipts',
    `Each charged request has a receipt, which every key of its account can read. It has the tokens by kind, prices, output ceiling, hold, list cost, charge and the reason for the charge. Look it up by the answer's \`${requestId}\` or its own \`id\`.`,
  ],
];

const asking = `# what is left, and what became of the rest, by day, model or key
curl '{origin}/v1/usage?by=model' -H "authorization: Bearer $API_KEY"

# what one request was charged, and why
curl {origin}/v1/usage/$REQUEST_ID -H "authorization: Bearer $API_KEY"

# what a request would cost and whether it would be served, without sending it
curl {origin}/v1/quote \\
  -H "authorization: Bearer $API_KEY" \\
  -H 'content-type: application/json' \\
  -d '{ "model": "{model}", "max_tokens": 200, "messages": [{ "role": "user", "content": "Hello!" }] }'`;

/** What credits are, for those who spend them. */
export const credits = ({ names: { header } }: Snapshot): Html =>
  section(
    { id: 'credits', title: 'Credits' },
    html`${rules(header).map(
      ([title, text]) => html`<h3>${title}</h3>
<p>${prose(text)}</p>
`,
    )}
${block(asking)}`,
  );
