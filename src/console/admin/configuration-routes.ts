import { Refusal } from '../../base/errors/refusal.ts';
import { Type } from '../../base/schema/type.ts';
import type { AdminRole } from '../../customers/operators/admin-token.ts';
import { jsonReply } from '../../edge/http/reply.ts';
import type { Route, RouteDescription } from '../../edge/http/route.ts';
import { type ConfigProblem, formatProblem } from '../../settings/config/config-problem.ts';
import { adminAnswers } from './admin-answers.ts';
import { type AdminDependencies, actorOf } from './admin-dependencies.ts';
import { checkedBody } from './read-checked-body.ts';
import type { AdminRoute } from './require-admin-token.ts';

const OWNERS: readonly AdminRole[] = ['owner'];
const closed = { additionalProperties: false };
const text = Type.String({ maxLength: 5 * 1024 * 1024 });
const orNull = (schema: ReturnType<typeof Type.String>) => Type.Union([schema, Type.Null()]);

const checkBody = checkedBody(Type.Object({ text }, closed));
const writeBody = checkedBody(
  Type.Object(
    { text, hash: Type.String({ description: 'The hash of the file that the text replaces.' }) },
    closed,
  ),
);

const problem = Type.Object({
  line: Type.Union([Type.Integer(), Type.Null()]),
  column: Type.Union([Type.Integer(), Type.Null()]),
  field: Type.String(),
  message: Type.String(),
});

const described = { group: 'Admin: operation', key: 'admin' } as const;

const told = {
  show: {
    ...described,
    summary: 'Shows the configuration file, with marks in place of secrets',
    answer: 'The text and its hash. `writable` is false where several processes read the file.',
    answerSchema: Type.Object(
      {
        file: orNull(Type.String()),
        text: orNull(Type.String()),
        hash: orNull(Type.String()),
        writable: Type.Boolean(),
        reason: orNull(Type.String()),
      },
      { title: 'Configuration' },
    ),
  },
  check: {
    ...described,
    summary: 'Checks the text of a configuration without using it',
    body: checkBody.schema,
    bodyExample: { text: 'server: { port: 8080 }\n' },
    answer: 'The problems. Marks stand for the secrets of the current file.',
    answerSchema: Type.Object({ problems: Type.Array(problem) }, { title: 'Configuration Check' }),
  },
  write: {
    ...described,
    summary: 'Replaces the configuration file and reloads it',
    body: writeBody.schema,
    answer: 'The outcome of the reload.',
    answerSchema: adminAnswers.reload,
    errors: ['invalid_request', 'conflict'],
  },
} satisfies Record<string, RouteDescription>;

/** The routes for the configuration file. Only owners see or change it. */
export function configurationRoutes({ configuration, accounts, readBody }: AdminDependencies): AdminRoute[] {
  const show: Route['handle'] = async () => {
    const { isWritable: writable, ...shown } = await configuration.show();
    return jsonReply(200, { ...shown, writable });
  };

  const check: Route['handle'] = async (exchange) => {
    const body = await checkBody(exchange, readBody);
    if (body instanceof Refusal) return body;
    return jsonReply(200, { problems: (await configuration.check(body.text)).map(problemView) });
  };

  const write: Route['handle'] = async (exchange) => {
    const body = await writeBody(exchange, readBody);
    if (body instanceof Refusal) return body;
    const actor = actorOf(exchange);
    const outcome = await configuration.write({ ...body, actor });
    if (outcome.kind === 'changed') return changedMeanwhile();
    if (outcome.kind === 'refused') return new Refusal('conflict', { message: outcome.reason });
    if (outcome.kind === 'problems') return invalid(outcome.problems);
    const { hash } = await configuration.show();
    await accounts.record('config-change', 'configuration', {
      before: { hash: body.hash },
      after: { hash },
      actor,
    });
    return jsonReply(200, outcome.reloaded);
  };

  const path = '/admin/v1/configuration';
  return [
    { method: 'GET', path, roles: OWNERS, handle: show, describe: told.show },
    { method: 'POST', path: `${path}/check`, roles: OWNERS, handle: check, describe: told.check },
    { method: 'POST', path, roles: OWNERS, handle: write, describe: told.write },
  ];
}

const problemView = ({ line, column, field, message }: ConfigProblem) => ({ line, column, field, message });

const changedMeanwhile = (): Refusal =>
  new Refusal('conflict', { message: 'The configuration file was changed meanwhile. Load it again.' });

const invalid = (problems: readonly ConfigProblem[]): Refusal =>
  new Refusal('invalid_request', {
    message: `The configuration is not valid: ${formatProblem({ ...problems[0]!, file: 'line' })}`,
    fields: { details: problems.map(problemView) },
  });
