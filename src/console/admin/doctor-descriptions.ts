import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';

const operation = { group: 'Admin: operation', key: 'admin' } as const;
const text = Type.String();

const examination = Type.Object(
  {
    ok: Type.Boolean({ description: 'No check failed.' }),
    config_file: Type.Union([text, Type.Null()], { description: 'Null: the server uses no file.' }),
    findings: Type.Array(
      Type.Object({
        check: text,
        status: Type.Enum(['ok', 'warn', 'fail']),
        message: text,
        mend: Type.Union([text, Type.Null()], { description: 'The suggested fix. Null: none is needed.' }),
      }),
    ),
  },
  { title: 'Examination' },
);

const answer =
  'The findings about the environment and the configuration that the server uses, without secrets.';

export const doctorDescriptions = {
  examine: {
    ...operation,
    summary: 'Examines the server without calling a provider',
    answer,
    answerSchema: examination,
  },
  examineLive: {
    ...operation,
    summary: "Examines the server and tries each provider's key with its cheapest call",
    answer,
    answerSchema: examination,
  },
} satisfies Record<string, RouteDescription>;
