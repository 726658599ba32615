import { signInAsOperator } from '../dashboard/sign-in.ts';
import { answerWithUsage } from './answer-with-usage.ts';
import { type Answer, bearer, chatBody, type Json } from './call.ts';
import type { RecordingUpstream } from './recording-upstream.ts';
import type { CreatedKey, TestServer } from './start-server.ts';

const OUTPUT = 20;
const USD_PER_CREDIT = 0.002;
/** The prices of the model, in micro-credits a token. */
const RATES = { input: 500, output: 2_000 };
export const USER = 'ada@example.com';
export const TAG = 'team a';

/** Opens the organization of the first person with a key. All its requests cost the same. */
export async function openBudgetGateway(server: TestServer, upstream: RecordingUpstream) {
  const owner = await signInAsOperator(server);
  const { person, organizations } = (await owner.call('/session')).body;
  const account: string = organizations[0].id;
  await server.admin('PATCH', `/accounts/${account}`, { plan: 'max' });
  const body = chatBody('test-small', { max_tokens: OUTPUT, user: USER });
  const key: CreatedKey = await server.createKey('max', { account, person_id: person.id, tags: [TAG] });

  /** Makes each request cost the maximum of its quote. Returns that cost in USD. */
  const chargeQuotedMaximum = async (): Promise<number> => {
    const quoting = await server.createKey('max');
    const { body: quote } = await server.call('/v1/quote', { headers: bearer(quoting.key), body });
    const maxInput = (quote.credits.highest * 1e6 - OUTPUT * RATES.output) / RATES.input;
    upstream.answer('hidden-test-small', answerWithUsage(Math.round(maxInput), OUTPUT));
    return quote.credits.highest * USD_PER_CREDIT;
  };
  const cost = await chargeQuotedMaximum();
  return {
    owner,
    account,
    person: person.id as string,
    key,
    body,
    /** The cost of some requests. */
    usd: (times: number): number => Number((cost * times).toFixed(12)),
    ask: (node: TestServer = server, of: CreatedKey = key, sent: Json = body): Promise<Answer> =>
      node.call('/v1/chat/completions', { headers: bearer(of.key), body: sent }),
    async createBudget(fields: Json): Promise<Json> {
      const made = await server.admin('POST', '/budgets', { account_id: account, ...fields });
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
      return made.body;
    },
    readBudget: async (id: string): Promise<Json> => (await server.admin('GET', `/budgets/${id}`)).body,
    faults: (): Promise<Json[]> => server.ledgerFaults(),
  };
}

export type BudgetGateway = Awaited<ReturnType<typeof openBudgetGateway>>;

const windows = ['hour', '5h', 'day', 'week', 'month'] as const;

/** Makes a budget of each scope and window, calendar and sliding, for one target and for each target. */
export const budgetsOf = ({ key, person }: Pick<BudgetGateway, 'key' | 'person'>): Json[] =>
  Object.entries({ organization: null, key: key.id, member: person, end_user: USER, tag: TAG }).flatMap(
    ([scope, target], row) =>
      windows.map((window, column) => ({
        scope,
        window,
        target: (row + column) % 3 === 0 ? null : target,
        kind: (row + column) % 2 === 0 ? 'calendar' : 'sliding',
      })),
  );
