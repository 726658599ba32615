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
    'One credit is worth 0.002 USD. `/v1/models` lists the rates of each model for input, cached input and output. Hidden reasoning counts as output. Charges are computed in millionths of a credit and rounded up once. Failed requests are free. If you cancel an answer, you pay for the tokens produced until then.',
  ],
  [
    'Monthly credits',
    `Monthly credits renew each cycle, on the day of the month on which the plan began. Unused credits expire at the renewal. When the credits run out, new requests are refused with \`402 allowance_exhausted\` and \`resets_at\`. Requests in flight finish. \`${usedPercent}\` on every answer is the percentage used.`,
  ],
  [
    'Free',
    'The Free plan grants its credits once. When they run out, requests are refused with `402 credit_used_up`. A limit of tokens per UTC day (`402 token_allowance_exhausted`) and a maximum prompt length (`400 input_exceeds_plan`) also apply.',
  ],
  [
    'Changing the plan',
    'An upgrade applies immediately. The cycle keeps its dates, and credits already used stay used. A downgrade applies at the next renewal.',
  ],
  [
    'Purchased credit',
    `Purchased credit is a separate balance that never expires. Only pay-as-you-go requests spend it: those with \`${paymentMode}: payg\`, those of a pay-as-you-go key, and those of an account without a plan. Pay-as-you-go mode includes every model. The gateway holds the highest possible cost before it sends a request, so the balance never becomes negative. Without \`max_tokens\`, the balance limits the length of the answer.`,
  ],
  [
    "A key's cap",
    'A key can have a cap in USD for each calendar month (UTC). The cap applies in both payment modes. When the cap is reached, requests are refused with `402 key_budget_exhausted`. The cap is not a discount: monthly credits pay for an answer in full, even if it costs more than the cap had left.',
  ],
  [
    'Receipts',
    `Each charged request has a receipt, which every key of its account can read. The receipt lists the tokens by kind, prices, output ceiling, hold, list cost, charge and the reason for the charge. Look it up by the answer's \`${requestId}\` or by its \`id\`.`,
  ],
];

const asking = `# balances, and usage by day, model or key
curl '{origin}/v1/usage?by=model' -H "authorization: Bearer $API_KEY"

# the receipt of one request
curl {origin}/v1/usage/$REQUEST_ID -H "authorization: Bearer $API_KEY"

# cost and admission of a request, without sending it
curl {origin}/v1/quote \\
  -H "authorization: Bearer $API_KEY" \\
  -H 'content-type: application/json' \\
  -d '{ "model": "{model}", "max_tokens": 200, "messages": [{ "role": "user", "content": "Hello!" }] }'`;

/** Writes the section of `/docs` about credits. */
export const creditsSection = ({ names: { header } }: Snapshot): Html =>
  section(
    { id: 'credits', title: 'Credits' },
    html`${rules(header).map(
      ([title, text]) => html`<h3>${title}</h3>
<p>${prose(text)}</p>
`,
    )}
${block(asking)}`,
  );
