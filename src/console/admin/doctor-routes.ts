import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import type { ViewOf } from '../routes/typed-route.ts';
import { adminRouteWith } from './admin-route.ts';
import type { Examination } from './examination.ts';

const route = adminRouteWith<'examine'>();

const text = Type.String();

const examination = Type.Object(
  {
    ok: Type.Boolean({ description: 'True if no check failed.' }),
    config_file: orNull(text, '`null` means that the server uses no file.'),
    findings: Type.Array(
      Type.Object({
        check: text,
        status: Type.Enum(['ok', 'warn', 'fail']),
        message: text,
        mend: orNull(text, 'The suggested fix. `null` means that none is needed.'),
      }),
    ),
  },
  { title: 'Examination' },
);

const examinationRoute = {
  group: 'Admin: operation',
  answer: examination,
  returns: 'The findings about the environment and the configuration that the server uses, without secrets.',
} as const;

/** The routes for the examination of the server. Only the second one calls providers. */
export const doctorRoutes = [
  route(
    {
      ...examinationRoute,
      method: 'GET',
      path: '/admin/v1/doctor',
      summary: 'Examines the server without calling a provider',
    },
    async (_, { examine }) => examinationView(await examine({ isLive: false })),
  ),
  route(
    {
      ...examinationRoute,
      method: 'POST',
      path: '/admin/v1/doctor/live',
      summary: "Examines the server and tries each provider's key with its cheapest call",
    },
    async (_, { examine }) => examinationView(await examine({ isLive: true })),
  ),
];

const examinationView = ({ configFile, findings }: Examination): ViewOf<typeof examination> => ({
  ok: findings.every(({ status }) => status !== 'fail'),
  config_file: configFile,
  findings,
});
